"""Reads words as people type them in a hurry: "ur", "tmrw", "biliyosun", "varmı".

Only for finding listed phrases, which go through the same: what a word becomes is never shown.
A word is folded already, and may become several.
"""

import re
from functools import lru_cache

_MOST_KNOWN = 65_536
_LONGEST_TYPED = 40
_ENGLISH = """
u=you ur=your r=are ru=are-you urs=yours urself=yourself youre=you
whats=what wats=what wat=what wut=what wht=what whos=who wheres=where hows=how whens=when
wich=which whcih=which thats=that theres=there heres=here
im=i-m ive=i-ve dont=don didnt=didn doesnt=doesn isnt=isn arent=aren cant=can
gimme=give-me lemme=let-me wanna=want-to gonna=going-to gotta=got-to kinda=kind-of
pls=please plz=please plis=please pleas=please tho=though thru=through cuz=because coz=because
tmrw=tomorrow tmr=tomorrow tmrow=tomorrow tomorow=tomorrow tommorow=tomorrow tommorrow=tomorrow
rn=right-now atm=at-the-moment 2day=today 2nite=tonight tonite=tonight 2moro=tomorrow
yday=yesterday yest=yesterday
abt=about w=with wo=without btwn=between diff=difference ppl=people
n=and nd=and shud=should shld=should cud=could cld=could wud=would wld=would hw=how y=why
wen=when whr=where wher=where knw=know kno=know hav=have giv=give tel=tell wont=won-t
gf=girlfriend gfs=girlfriends bf=boyfriend bfs=boyfriends insta=instagram ig=instagram fb=facebook
wdym=what-do-you-mean whatcha=what-are-you wheres=where b4=before imma=i-will asap=soon
fone=phone phonenumber=phone-number thankyou=thank-you thanx=thanks thnks=thanks thankss=thanks
smth=something sth=something sum1=someone any1=anyone every1=everyone
convo=conversation convos=conversations msg=message msgs=messages pic=picture pics=pictures
adress=address addy=address acct=account pw=password pwd=password passwd=password
langs=languages lang=language prob=probably heya=hey heyy=hey hiya=hi
bruh=bro bruv=bro m8=mate sry=sorry srry=sorry idk=not-sure
yo=hey sup=hey wassup=hey hii=hi helo=hello
"""
_TURKISH = """
cvp=cevap cvb=cevap cevp=cevap kdr=kadar kadr=kadar yaw=ya yav=ya yha=ya yaa=ya bakem=bakayim
bakim=bakayim bakiim=bakayim bakiyim=bakayim bkm=bakayim zmn=zaman nezaman=ne-zaman hk=hakkinda
hkk=hakkinda hkkinda=hakkinda hakinda=hakkinda ark=arkadas msj=mesaj gzl=guzel fln=falan
wp=whatsapp watsap=whatsapp vatsap=whatsapp nolur=ne-olur noldu=ne-oldu knkm=kanka kanks=kanka
tskler=tesekkurler tskrler=tesekkurler tsekkurler=tesekkurler tesekurler=tesekkurler
tesekkurlr=tesekkurler saolun=sagol saol=sagol sagolasin=sagol
bi=bir bide=bir-de birde=bir-de bikac=birkac bisey=bir-sey bisi=bir-sey birsey=bir-sey
bidaha=bir-daha birdaha=bir-daha bidk=bir-dakika dk=dakika
hersey=her-sey hicbisey=hicbir-sey suan=su-an suanda=su-anda simdilk=simdilik
nerde=nerede nerden=nereden burda=burada surda=surada orda=orada burdan=buradan
sn=sen bn=ben snin=senin bnm=benim benle=benimle senle=seninle bizle=bizimle
kimsn=kimsin nasilsn=nasilsin naber=nasilsin nbr=nasilsin napiyorsun=ne-yapiyorsun
nasi=nasil nsl=nasil napabilirsin=ne-yapabilirsin naapiyosun=ne-yapiyorsun
naparsin=ne-yaparsin napar=ne-yapar
slm=selam slmlar=selam selamlar=selam mrb=merhaba mrhb=merhaba meraba=merhaba merhabalar=merhaba
aleykum=selam selamun=selam sa=selam
tmm=tamam tm=tamam lutfn=lutfen ltfn=lutfen lutfeen=lutfen lutven=lutfen
bgn=bugun bugn=bugun yarn=yarin diyo=diyor gelio=geliyor dimi=degil-mi demi=degil-mi
ins=insallah knk=kanka kanki=kanka krds=kardesim kardes=kardesim abicim=abi abicm=abi hojam=hocam
hangsi=hangisi acba=acaba yanlz=yalniz
"""
_LEARNT = dict(entry.split("=", 1) for entry in f"{_ENGLISH} {_TURKISH}".split())
"""A hyphen stands for the blank in what becomes two words."""
# napıyorsun, napabilirsin; neither Napoli nor napalm
_DOES_WHAT = re.compile(r"nap([ai](?!lm).+|c.+)")
# "heyyy", "çoook"
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
# Spoken as it is written: biliyosun, geliyom, napıyon, diyolar; "tansiyon" is a noun.
_SPOKEN = re.compile(r"(.{2,}[iu])yo(m|(?<!siyo)n|z|sun|sunuz|lar)")
_PERSONS = {"m": "um", "n": "sun", "z": "uz"}
_SPOKEN_THIRD = re.compile(r"(.{2,}[iu])yo")
# The question's particle, written into its word: biliyormusun, yapabilirmisiniz, varmı. Not
# behind any word: "geçmişin" and "gümüşün" end in the same letters.
_ASKS_YOU = re.compile(
    r"(.*(?:yor|[aeiu]r|m[ae]z|insan|bot|zeka|gercek|iyi|hazir|emin))(m[iu]s[iu]n(?:[iu]z)?)"
)
_ASKS = re.compile(r"(.{2,}(?:yor|[ae]bilir)|var|yok)(m[iu])")
_ASKS_YOU_SPOKEN = re.compile(r"(.{2,}[iu]yo)n?(mu(?:sun)?)")
# göstersene, yapsana; neither "bu sene" nor "insana" is a request
_URGES = re.compile(r"(.{3,})(?:sen[ae]|s[ae]na)(?:[iu]z)?")


@lru_cache(maxsize=_MOST_KNOWN)
def plainly(word: str) -> str:
    """What a folded word reads as; most words read as themselves."""
    return _read(word)


def _read(word: str) -> str:
    if len(word) > _LONGEST_TYPED or word.isdigit():
        return word
    if learnt := _LEARNT.get(word):
        return learnt.replace("-", " ")
    plain = _DRAWN_OUT.sub(r"\1", word)
    if plain != word:
        return _read(plain)
    if does := _DOES_WHAT.fullmatch(word):
        return f"ne {_as_written(f'yap{does[1]}')}"
    return _as_written(word)


def _as_written(word: str) -> str:
    """A word of spoken Turkish as it is written."""
    if asks := _ASKS_YOU_SPOKEN.fullmatch(word):
        return f"{asks[1]}r musun" if word.endswith(("nmu", "musun")) else f"{asks[1]}r mu"
    if spoken := _SPOKEN.fullmatch(word):
        return f"{spoken[1]}yor{_PERSONS.get(spoken[2], spoken[2])}"
    if spoken := _SPOKEN_THIRD.fullmatch(word):
        return f"{spoken[1]}yor"
    if asks := _ASKS_YOU.fullmatch(word) or _ASKS.fullmatch(word):
        return f"{_as_written(asks[1])} {asks[2]}"
    if urges := _URGES.fullmatch(word):
        return urges[1]
    return word
