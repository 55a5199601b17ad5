"""Names that people bear, for hearing of whom a sentence tells that has no verb of its own.

"Ali diyabet hastası" and "Emekli öğretmen" are built alike: only the name parts them.
"""

from desktop.language.normalization import word_texts

_MEN = """
ali ahmet mehmet mustafa hüseyin hasan ibrahim ismail osman yusuf murat ömer ramazan halil süleyman
abdullah mahmut recep salih fatih kadir emre hakan kemal serkan orhan metin burak uğur cem kaan
onur volkan tolga selim sinan tarık bülent levent engin erkan gökhan ilker koray okan ozan serdar
taner tuncay yavuz berk batuhan efe eren furkan kerem mert oğuz arda veli bekir cemal cengiz
erdem ferhat gürkan hamza haluk ilhan kenan melih nihat oktay ömür rıza sabri şahin turgut ümit
yılmaz zeki alper anıl atilla aydın bora burhan çağlar deha ediz emir erhan ersin faruk harun
naci necati nuri ekrem hikmet ersan gürbüz tayfun tamer turan vedat yalçın zafer asım bahadır
berkay can berkan doğan doruk emin ender fikret galip giray haldun hilmi ismet kaan kerim koray
mesut muhammed münir nazım nevzat okay polat refik remzi rüştü sedat selçuk seyfi süha şükrü tahir
talat tarkan tufan veysel yakup yiğit zülfü
tom john james robert michael william david richard joseph thomas charles daniel matthew anthony
steven paul andrew joshua kevin brian george edward tim jason jeff ryan jacob gary nick eric steve
jonathan larry justin scott brandon ben sam peter hans klaus henry oliver harry alex adam
"""
_WOMEN = """
ayşe fatma emine hatice zeynep elif meryem şerife zehra hanife merve havva zeliha esra fadime özlem
yasemin hülya ebru tuğba büşra kübra derya selin ceren irem gamze pınar sibel songül nurcan aysel
gönül leyla nermin nuray nurten sema sevim sevil sezen aslı azra defne duygu ece ezgi filiz gülşen
handan ilknur jale lale mine müge nalan nihal nilgün oya özge rabia reyhan sevda şule tülay zerrin
nazlı suzan zübeyde hande ferda nida asuman berfin pelin nazan neslihan nilüfer nursel perihan
rana reyhan saadet safiye sanem seda selda serap sevinç simge sıla şebnem şermin tuba tülin ülkü
vildan yeliz yeşim zuhal zeren aylin aynur bahar belgin betül buket cansu cemre çiğdem damla dilara
dilan ebrar elvan emel esin fatoş feride feyza figen fulya gizem gonca gülay gülbahar gülden gülsüm
günseli hale hacer hazal ıtır ilayda ipek
ingrid odette yolanda wanda petra olga irina natasha priya aisha fatima leila sofia chloe hannah
megan rachel heather nicole katherine christine diane julie martha teresa gloria monica vanessa
mary patricia jennifer linda elizabeth barbara susan jessica sarah sara karen nancy lisa betty
margaret sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca
laura helen anna amy emma julia kate lucy sophie anne ann jane alice maria
"""
_ALSO_WORDS = """
can deniz umut barış güneş yağmur doğa bahar nur gül dilek sevgi melek sultan yıldız duru eylül
toprak ege tuna ada asya ışık özgür savaş demir kaya aslan yaşar ramazan sema mine sevim derya
onur uğur duygu zeki şahin yavuz metin engin yılmaz aydın ezgi lale filiz gönül burak ömür ferhat
mark will grace hope rose joy dawn max jack frank may june ray bill rob art ben sam scott ann
"""
_NAMES = frozenset(word_texts(f"{_MEN} {_WOMEN} {_ALSO_WORDS}"))
_AMBIGUOUS = frozenset(word_texts(_ALSO_WORDS))


def is_name(folded: str, *, is_capital: bool, begins: bool) -> bool:
    """`begins`: it stands where any word has a capital."""
    if folded not in _NAMES:
        return False
    return folded not in _AMBIGUOUS or (is_capital and not begins)
