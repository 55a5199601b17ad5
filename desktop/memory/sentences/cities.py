"""Cities: of two of them somebody lives in one, where of a city and a country it may be both."""

from desktop.language.normalization import fold

_TURKISH = """
adana adıyaman afyon ağrı aksaray amasya ankara antalya ardahan artvin aydın balıkesir bartın
batman bayburt bilecik bingöl bitlis bolu burdur bursa çanakkale çankırı çorum denizli diyarbakır
düzce edirne elazığ erzincan erzurum eskişehir gaziantep giresun gümüşhane hakkari hatay ığdır
isparta istanbul izmir kahramanmaraş karabük karaman kars kastamonu kayseri kilis kırıkkale
kırklareli kırşehir kocaeli konya kütahya malatya manisa mardin mersin muğla muş nevşehir niğde
ordu osmaniye rize sakarya samsun şanlıurfa siirt sinop şırnak sivas tekirdağ tokat trabzon
tunceli uşak van yalova yozgat zonguldak
"""
_ABROAD = """
london paris berlin munich münih hamburg cologne köln frankfurt stuttgart leipzig dresden vienna
viyana zurich zürih geneva cenevre basel bern amsterdam rotterdam utrecht brussels brüksel antwerp
ghent lyon marseille toulouse madrid barcelona barselona valencia seville lisbon lizbon porto rome
roma milan milano turin naples florence athens atina thessaloniki sofia sofya bucharest bükreş
budapest budapeşte prague prag warsaw varşova krakow copenhagen kopenhag stockholm oslo helsinki
dublin edinburgh glasgow manchester liverpool birmingham leeds bristol oxford cambridge boston
chicago seattle houston dallas austin denver miami atlanta philadelphia toronto montreal vancouver
ottawa sydney melbourne brisbane perth auckland tokyo osaka seoul seul beijing pekin shanghai
şanghay singapore singapur bangkok mumbai delhi dubai doha riyadh riyad cairo kahire tehran tahran
londra graz salzburg linz innsbruck nuremberg nürnberg düsseldorf dortmund bremen hannover mannheim
lille bordeaux sheffield newcastle cardiff belfast malmö gothenburg tallinn riga vilnius zagreb
belgrade belgrad sarajevo saraybosna skopje üsküp tirana bergen bilbao bologna venice venedik
selanik nicosia lefkoşa damascus şam beirut beyrut amman jakarta manila hanoi phoenix portland
detroit pittsburgh orlando calgary nairobi lagos lima bogota santiago
baghdad bağdat baku bakü tbilisi tiflis moscow moskova kyiv kiev bonn
"""
CITIES = frozenset(fold(f"{_TURKISH} {_ABROAD}").split()) | {"new york", "los angeles"}
"""Folded."""
