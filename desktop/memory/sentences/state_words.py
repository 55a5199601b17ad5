"""The words in which somebody says a state: marriage, home, work, what they eat or smoke.

Patterns over a folded sentence without its subject and without when it began.
"""

_ME = r"(?:y?[iu]m|d[iu]r)?"
_BE = r"(?:(?:is|am|are|has|have|been|got|gotten|became|become|turned|went|an?) )*"
_HAVE = r"(?:(?:has|have) )?"
_NOT = r"(?:(?:does|do|did) ?(?:n'?t|not) )"
_NO = r"(?:is |am )?(?:no longer |not )"
_GIVE_UP = r"(?:quit|quitted|stopped|gave up|given up)"
_WORKS_IN = r"(?:works|work|is working|am working|is employed|am employed) (?:at|for)"
_STARTED_IN = (
    r"(?:(?:has )?(?:started|began) (?:working|to work|work|a(?: new)? job) (?:at|for)"
    r"|(?:found|got|has|took) a(?: new)? job at)"
)
_PLACE = r"(?P<place>\w+(?: \w+){0,3}?)"
_TOWN = r"(?P<place>\w+?(?: \w+?)?)"

_LANGUAGE = (
    r"(?P<place>turkce|ingilizce|almanca|fransizca|ispanyolca|italyanca|rusca|arapca|farsca|cince"
    r"|japonca|korece|portekizce|kurtce|felemenkce|turkish|english|german|french|spanish|italian"
    r"|russian|arabic|persian|chinese|mandarin|japanese|korean|portuguese|kurdish|dutch)"
)
LEVELS = {
    "baslangic": "a", "temel": "a", "beginner": "a", "elementary": "a", "basic": "a",
    "orta": "b", "intermediate": "b", "ileri": "c", "advanced": "c", "akici": "c", "fluent": "c",
    "fluently": "c", "ana dili": "d", "native": "d",
}  # fmt: skip
"""Of a language, as the letters of the common scale."""
_LEVEL = rf"(?P<level>[abc][12]|{'|'.join(LEVELS)})"
_LEVEL_OF = r"(?:seviye|duzey)(?:si|sini|m|mi|im|i)?"
_IS_AT = r"(?:is|has reached|reached|rose to|went up to|improved to|has become|became)(?: at)?"
_AT_LEVEL = r"(?:[- ](?:seviye|duzey|level)(?:de|sinde|si|sine|inde|i|ye|ine)?)?"
_ROSE = (
    r"(?:'?[iy]?[ae] (?:yuksel|cik|geld?|ulas)(?:di|ti|mis)|'?[dt][ae]| oldu| biliyor| konusuyor)?"
)

WAYS = {
    ("level", ""): (
        rf"{_LANGUAGE}(?:m|si|yi|nin)?(?: {_LEVEL_OF})? {_LEVEL}{_AT_LEVEL}{_ROSE}",
        rf"{_LEVEL}{_AT_LEVEL} {_LANGUAGE} (?:konus|bil)(?:uyor|iyor|ur|ir)(?:um|im)?",
        rf"{_LANGUAGE}(?:yi)? {_LEVEL}{_AT_LEVEL} (?:konus|bil)(?:uyor|iyor|ur|ir)(?:um|im)?",
        rf"{_LANGUAGE}(?: level)? {_IS_AT}(?: an?| the)? {_LEVEL}{_AT_LEVEL}",
        rf"(?:speaks?|knows?|has) {_LEVEL}{_AT_LEVEL} {_LANGUAGE}",
        rf"(?:speaks?|knows?) {_LANGUAGE} (?:at )?(?:an? |the )?{_LEVEL}{_AT_LEVEL}",
        rf"(?:is |am )?{_LEVEL} in {_LANGUAGE}",
        rf"{_LANGUAGE} {_LEVEL}",
    ),
    ("marriage", "married"): (
        rf"(?:\w+'?(?:y?l[ae]| ile) )?evli{_ME}",
        r"(?:\w+'?(?:y?l[ae]| ile) )?evlen(?:di|mis)m?",
        rf"{_BE}(?:re)?married(?:(?: to)? \w+)?",
    ),
    ("marriage", "single"): (rf"bekar{_ME}", rf"{_BE}single"),
    ("marriage", "engaged"): (
        rf"(?:\w+'?(?:y?l[ae]| ile) )?nisanli{_ME}",
        r"(?:\w+'?(?:y?l[ae]| ile) )?nisanlan(?:di|mis)m?",
        rf"{_BE}engaged(?: to \w+)?",
    ),
    ("marriage", "divorced"): (
        r"(?:(?:esinden|esimden|kocasindan|karisindan) )?bosan(?:di|mis)m?",
        rf"(?:he |she )?{_BE}divorced",
    ),
    ("marriage", "separated"): (
        r"(?:esinden|esimden|kocasindan|karisindan) ayril(?:di|mis)m?",
        r"esinden ayri yasiyor(?:um)?",
        rf"{_BE}separated(?: from (?:his|her|my) (?:wife|husband|spouse))?",
    ),
    ("marriage", "widowed"): (
        rf"dul(?: kal(?:di|mis))?{_ME}",
        rf"{_BE}(?:widow|widower|widowed)",
    ),
    ("meat", "eats"): (
        r"(?:kirmizi |beyaz )?(?:et|tavuk|et urunleri)(?: da)? y(?:iyor|er)(?:um|im)?",
        r"(?:et|tavuk) yemeye (?:basla|don)(?:di|mis)m?",
        r"(?:eats?|is eating|am eating) (?:red )?(?:meat|chicken|beef|pork)",
        rf"{_HAVE}(?:started|began|resumed) (?:eating|to eat) (?:red )?meat",
        r"(?:has |have )?(?:went|gone|is|am) back (?:to|on) (?:eating )?meat",
        rf"{_BE}meat[- ]eater",
    ),
    ("meat", "none"): (
        r"et ye(?:miyor|mez)(?:um|im)?",
        r"(?:eti|et yemeyi) birak(?:ti|mis)m?",
        rf"{_NOT}eat (?:any )?meat",
        rf"{_HAVE}{_GIVE_UP} (?:eating )?meat",
    ),
    ("meat", "vegetarian"): (
        rf"vejetaryen{_ME}(?: ol(?:du|mus)m?| beslen(?:iyor|ir)(?:um|im)?)?",
        rf"{_BE}vegetarian",
    ),
    ("meat", "vegan"): (
        rf"vegan{_ME}(?: ol(?:du|mus)m?| beslen(?:iyor|ir)(?:um|im)?)?",
        rf"{_BE}vegan",
    ),
    ("smoking", "smokes"): (
        r"sigara (?:ic|kullan)(?:iyor|er|ir)(?:um|im)?",
        r"sigaraya basla(?:di|mis)m?",
        r"smokes?(?: cigarettes)?",
        rf"{_BE}smoker",
        rf"{_HAVE}(?:started|resumed) smoking",
    ),
    ("smoking", "none"): (
        r"sigara (?:ic|kullan)m(?:iyor|ez|az)(?:um|im)?",
        r"sigara (?:icmem|kullanmam)",
        r"(?:sigarayi|sigara icmeyi) birak(?:ti|mis)m?",
        rf"{_NOT}smoke(?: cigarettes)?",
        rf"{_BE}non-?smoker",
        r"(?:no longer|never) smokes?",
        rf"{_HAVE}{_GIVE_UP} (?:smoking|cigarettes)",
    ),
    ("alcohol", "drinks"): (
        r"(?:alkol|icki) (?:kullan|ic|tuket|al)(?:iyor|er|ir)(?:um|im)?",
        r"(?:drinks?|consumes?) alcohol",
    ),
    ("alcohol", "none"): (
        r"(?:alkol|icki) (?:kullan|ic|tuket|al)m(?:iyor|ez|az)(?:um|im)?",
        r"(?:alkolu|ickiyi|alkol almayi|icki icmeyi) birak(?:ti|mis)m?",
        rf"{_NOT}drink(?: any)? alcohol",
        r"no longer drinks? alcohol",
        rf"{_HAVE}{_GIVE_UP} (?:(?:drinking )?alcohol|drinking)",
        rf"{_BE}(?:sober|teetotal|teetotaler|teetotaller)",
    ),
    ("birth", "pregnant"): (
        rf"(?:hamile|gebe){_ME}",
        rf"{_BE}(?:pregnant|expecting(?: a baby)?)",
    ),
    ("birth", "given"): (
        r"dogum yap(?:ti|mis)m?",
        r"dogur(?:du|mus)m?",
        r"bebegi(?:m)? dogdu",
        rf"{_HAVE}(?:gave|given) birth",
        r"had (?:her|the|a|my) baby",
    ),
    ("studies", "student"): (
        rf"(?:universite|lisans|{_TOWN} bolumu|tip|hukuk|muhendislik)? ?ogrenci(?:si)?{_ME}",
        rf"{_BE}(?:(?:university|college|medical|law|engineering) )?student",
        r"(?:universitede|universite) okuyor(?:um)?",
    ),
    ("studies", "graduated"): (
        r"(?:universiteden )?mezun ol(?:du|mus)m?",
        r"universiteyi bitir(?:di|mis)m?",
        rf"{_HAVE}graduated(?: from (?:the )?(?:university|college))?",
    ),
    ("work", "has"): (
        rf"{_PLACE}'?n?[dt][ae] calis(?:iyor|ir)(?:um|im)?",
        r"(?P<role>\w+(?: \w+)?) olarak calis(?:iyor|ir)(?:um|im)?",
        rf"{_WORKS_IN} {_PLACE}",
        r"(?:works|work|is working|am working) as (?P<role>\w+(?: \w+){0,2})",
    ),
    ("work", "started"): (
        rf"{_PLACE}'?n?[dt][ae] (?:ise|calismaya|isine) basla(?:di|mis)m?",
        rf"{_PLACE}'?[yn]?[ae] ise gir(?:di|mis)m?",
        rf"{_STARTED_IN} {_PLACE}",
    ),
    ("work", "none"): (
        rf"issiz{_ME}(?: kal(?:di|mis)m?)?",
        r"(?:isten|isinden|isimden) (?:ayril|cikaril|kovul)(?:di|du|mis|mus)m?",
        r"(?:isi|isini|isimi) (?:birak|kaybet)(?:ti|mis)m?",
        r"istifa et(?:ti|mis)m?",
        rf"{_BE}(?:unemployed|jobless|out of work|between jobs)",
        rf"{_HAVE}(?:quit|left|lost) (?:his|her|their|my|the) job",
        rf"{_HAVE}resigned",
        r"was (?:laid off|fired)",
    ),
    ("work", "retired"): (
        rf"emekli{_ME}(?: ol(?:du|mus)m?)?",
        r"emekliye ayril(?:di|mis)m?",
        rf"{_BE}retired",
    ),
    ("role", "is"): (
        rf"(?P<role>\w+?){_ME}",
        r"(?P<role>\w+) olarak calis(?:iyor|ir)(?:um|im)?",
        rf"{_BE}(?P<role>\w+)",
        r"(?:works|work) as an? (?P<role>\w+)",
    ),
    ("role", "became"): (
        r"(?P<role>\w+) ol(?:du|mus)m?",
        r"(?:has |have )?(?:became|become) an? (?P<role>\w+)",
    ),
    ("thing", "has"): (
        r"(?:bir )?(?P<place>\w+) var",
        r"(?:has|have|owns?) an? (?P<place>\w+)",
    ),
    ("thing", "gone"): (
        r"(?P<place>\w+) (?:sat(?:ti|mis)m?|ol(?:du|mus))",
        r"sold (?:his|her|their|the|my) (?P<place>\w+)",
        r"(?P<place>\w+) (?:died|has died|passed away)",
    ),
    ("home", "lives"): (
        rf"{_TOWN}'?n?[dt][ae] (?:yas(?:iyor|ar)|otur(?:uyor|ur)|ikamet ediyor)(?:um|im)?",
        rf"(?:is |am )?(?:lives?|living|based|resides?) in {_TOWN}",
    ),
    ("home", "moved"): (
        rf"(?:\w+'?[dt][ae]n )?{_TOWN}'?[yn]?[ae] (?:tasin|yerles)(?:di|ti|mis)m?",
        rf"{_HAVE}(?:moved|relocated)(?: from \w+)? to {_TOWN}",
        rf"{_HAVE}settled(?: down)? in {_TOWN}",
    ),
}  # fmt: skip
"""Of each kind and value."""
LOOKED_UP = {
    "marriage": "evl bekar nisanl bosan dul married single engaged divorced widow",
    "meat": "et eti tavuk vejetaryen vegan meat vegetarian chicken",
    "smoking": "sigara smok cigar",
    "alcohol": "alkol icki alcohol drink sober teetotal",
    "birth": "hamile gebe pregnan expecting dogum dogur",
    "studies": "ogrenci student mezun graduat okuyor universite",
    "work": "calis works working started issiz unemployed retired emekli isten istifa job",
    "role": "calis works",
    "thing": "",
    "level": "turkce ingilizce almanca fransizca ispanyolca italyanca rusca arapca japonca english"
    " turkish german french spanish italian russian arabic japanese",
    "home": "yas otur ikamet live living moved tasin yerles based resid relocat",
}
"""Beginnings of the words by which facts of a kind are found."""
