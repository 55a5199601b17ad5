"""Demands that only somebody who reads for another can meet, in Turkish, put together from parts.

As in English: what is demanded, and of what. In letters made plain, where "ı" is "i".
"""

from desktop.research.injection.orders import Order

_W = r"(?: [\w'-]+)"
_NEAR = r"[^.!?\n]"
_END = r"(?= ?(?:[.;,!:\"”)]|$|ve\b|bunun|onun|artik))"
_TOLD_TR = (
    r"(?:gorev|talimat|komut|yonerge|emir|emr|kural|yonlendirme|direktif|mesaj|soylenen|yazilan"
    r"|ogretilen|anlatilan)\w*"
)
_DROP_TR = (
    r"(?:bos ?ver|unut|birak|yok say|goz ardi et|gormezden gel|dikkate alma|uyma|dinleme|onemseme"
    r"|aldirma|takma|es gec|iptal et|gecersiz say|umursama|hice say)(?:in|iniz|un|unuz|yin"
    r"|yiniz)?\b"
)
_READER_TR = (
    r"(?:yapay zeka|dil modeli|dil modelleri|asistan|sohbet robotu|chatgpt|claude|gemini|bellek)"
)
DEMANDS: tuple[tuple[Order, tuple[str, ...]], ...] = (
    (
        Order.OVERRIDE,
        (
            (
                rf"\b(?:aldigin|sana|bundan onceki|su anki|simdiye kadarki){_W}{{0,5}}?"
                rf" (?:{_TOLD_TR}|tembihlenen\w*|rol\w*|kimlig\w*|ne varsa){_W}{{0,4}}? (?:cope"
                rf" at|sil|terk et|gecersiz kil|at|{_DROP_TR})(?:in|iniz)?\b"
            ),
            r"\bartik (?:benim|bizim) (?:emrimde|hizmetimde|kontrolumde|icin calis)\w*",
            (
                r"\bne (?:dersem|soylersem|yazarsam) (?:onu |aynen )?(?:yap|yapacak|soyle"
                r"|soyleyecek|yaz|yazacak)(?:sin|in)?\b"
            ),
            (
                r"\b(?:sinirlamalarin|kisitlamalarin|filtrelerin|engellerin)(?: artik)?"
                r" (?:kaldirildi|kalkti|kapatildi|devre disi)\b"
            ),
            (
                rf"\b(?:kullanici(?:ya|nin|lara)?|soru(?:ya|yu)?)\b{_NEAR}{{0,30}}? (?:cevap"
                rf"|yanit) (?:verme|yazma)(?:yin|yiniz)?{_END}"
            ),
            (
                r"\b(?:soruyu|soruya|kullaniciya|kullaniciyi) (?:yanitlamak|cevaplamak|yanit"
                r" vermek|cevap vermek|yardim etmek) yerine\b[^.!?\n]{0,60}?(?:ov|oner|yaz"
                r"|soyle|ver|ac|paylas|goster|yay)(?:in|iniz|un)?\b"
            ),
            (
                r"\b(?:sana|verilen|onceki|tum|butun|simdiye|su ana|bugune|buraya|mevcut"
                rf"|diger|eski)\b{_W}{{0,4}}? {_TOLD_TR}"
                rf"{_W}{{0,4}}? {_DROP_TR}{_END}"
            ),
            (
                rf"\bsana {_NEAR}{{0,20}}?(?:soylenen|verilen|yazilan|ogretilen"
                rf"|denilen)\w*{_W}{{0,3}}? {_DROP_TR}{_END}"
            ),
            (
                rf"\b(?:su ana|simdiye|bugune) (?:kadar|dek)(?:ki)?{_W}{{0,3}}?"
                rf" {_TOLD_TR}{_W}{{0,3}}? {_DROP_TR}{_END}"
            ),
            (
                rf"\b(?:onceki|yukaridaki|sana verilen){_W}{{0,2}}? (?:gorev|talimat|komut"
                rf"|yonerge|emir|mesaj)\w*{_W}{{0,3}}? (?:gecersiz|hukumsuz|iptal edil|gecerli"
                rf" degil)\w*"
            ),
            (
                rf"\bkullanici(?:nin|larin)?\b{_NEAR}{{0,30}}? (?:soru|istek|istegi|talep"
                rf"|talebi|mesaj|talimat)\w*{_W}{{0,3}}? "
                r"(?:yanitlama|cevaplama|yanit verme|cevap verme|yerine getirme"
                rf"|{_DROP_TR})(?:yin|yiniz)?{_END}"
            ),
            (
                r"\b(?:bu noktadan|bu andan|bundan|simdiden|su andan) (?:sonra|itibaren|boyle)\b"
                rf"{_NEAR}{{0,40}}? (?:(?:bana|bize|yalnizca"
                rf"|sadece)\b{_NEAR}{{0,30}}?(?:edeceksin|uyacaksin|vereceksin|calisacaksin)"
                r"|hizmet et|soyleyeceksin|yazacaksin|oveceksin)"
            ),
            (
                rf"\b(?:asil|gercek|yeni|tek|gizli) (?:gorev|amac|hedef|rol)(?:in"
                rf"|un)\b{_NEAR}{{0,60}}?(?:mektir|maktir)\b"
            ),
            (
                rf"\byanit(?:in|larin|iniz)\w* (?:basina|sonuna|yerine)\b{_NEAR}{{0,60}}?"
                rf" (?:ekle|yaz|koy)(?:yin|in|iniz)?\b"
            ),
            (
                rf"\bbaska (?:hicbir |bir )?(?:sey|soz) (?:soyleme|yazma|ekleme)(?:yin"
                rf"|yiniz)?{_END}"
            ),
            (
                rf"\b(?:guvenlik|icerik|etik)\w* (?:kural|filtre|kisitlama"
                rf"|sinirlama)\w*{_NEAR}{{0,20}}? (?:devre disi(?: birak)?|kapat|kaldir|askiya"
                rf" al)(?:in|iniz)?\b"
            ),
            (
                r"\b(?:sinirsiz|kisitlamasiz|gelistirici) modu (?:artik |simdi )?(?:etkin|acik"
                r"|devrede)\w*"
            ),
            r"\bsana emrediyorum\b",
            r"\bsana ne (?:denildiyse|dendiyse|soylendiyse|ogretildiyse)\b",
            (
                r"\b(?:elindeki|simdiki|su anki|mevcut) (?:gorev|is|rol)(?:i|den|ini"
                r"|unden)?(?:den|dan)? (?:vazgec|birak|cik)(?:in|iniz)?\b"
            ),
            (
                r"\bkullanici\w* (?:soyledik|dedik|yazdik|istedik)leri\w* (?:kulak asma|aldirma"
                r"|takma|dinleme|dikkate alma)(?:yin|yiniz)?\b"
            ),
            (
                r"\b(?:seninkiler|senin (?:kural|talimat)\w*)(?:den|dan) (?:ustun|oncelikli"
                r"|once gelir)\w*"
            ),
            r"\byeni (?:kimligin|adin|rolun|gorevin) ?:",
            r"\b(?:cevabin|yanitin)(?:in)? (?:ilk|son) (?:cumle|kelime|satir)\w*",
            (
                rf"\b(?:cevabinda|yanitinda|cevaplarinda|yanitlarinda)\b{_NEAR}{{0,40}}?"
                rf" (?:kotule|ov|oner|an|belirt|soyle|yaz|ekle|tanit)(?:yin|in|iniz|un)?{_END}"
            ),
        ),
    ),
    (
        Order.SECRETS,
        (
            (
                rf"\b(?:gizli|sistem|ilk|baslangic) (?:yonerge|talimat|istem"
                rf"|komut)\w*{_NEAR}{{0,40}}? (?:aktar|yaz|goster|paylas|acikla|soyle|tekrarla"
                rf"|dok)(?:in|iniz)?{_END}"
            ),
            r"\bapi anahtarin(?:iz)? (?:ne|nedir|kac)\b",
            r"\bkullanici\w* (?:parola|sifre|anahtar)\w* iste(?:yin|yip)?\b",
            (
                r"\bsistem (?:prompt|istem)\w*[^.!?\n]{0,30}? (?:cevir|yaz|ozetle|goster"
                r"|aktar)(?:in|iniz)?\b"
            ),
            r"\bkullandigin (?:api )?(?:anahtar|parola|sifre|jeton)\w*",
            (
                r"\b(?:bana|bize) (?:sistem|gelistirici|gizli|ilk) (?:mesaj|istem|talimat"
                r"|yonerge)\w*"
            ),
            r"\bkullanici\w*(?: hakkinda)? (?:bildigin|hatirladigin|sakladigin)\b",
            (
                rf"\b(?:kullanici\w*|konusma\w*|soru(?:sunu|yu)){_NEAR}{{0,40}}? (?:baglanti"
                rf"|adres|link|url)\w* (?:sonuna|ucuna|icine){_NEAR}{{0,30}}?(?:ekle|yaz"
                rf"|koy)(?:yip|yin|in|iniz)?\b"
            ),
            (
                rf"\byanit(?:in|lar|iniz)\w*{_NEAR}{{0,10}}? kullanici\w*{_NEAR}{{0,40}}?"
                rf" (?:ekle|yaz|koy)(?:yin|in|iniz)?\b"
            ),
            (
                rf"\b(?:kullanici\w*|konusma\w*|sohbet\w*){_NEAR}{{0,50}}? (?:adres|url"
                r"|baglanti|link)(?:e|a|ine|ina|sine|lere)\b"
                rf"{_NEAR}{{0,30}}? (?:ekle|gonder|yolla|ilet|aktar)(?:yin|in|iniz|sin|ip|yip"
                r"|erek|yerek)?\b"
            ),
        ),
    ),
    (
        Order.MEMORY,
        (
            (
                rf"\b(?:bellege|bellegine|bellegimize|bellegin[ae]|hafizaya"
                rf"|hafizana){_NEAR}{{0,80}}? (?:kaydet|ekle|yaz|not et|isle)(?:yin|in"
                rf"|iniz)?{_END}"
            ),
            r"\bnotlarina\b[^.!?\n]{0,60}? (?:ekle|yaz|kaydet)(?:yin|in)?\b",
            (
                r"\bkayitli (?:tum|butun) (?:bilgi|ani|not)\w* (?:unut|sil|temizle)(?:un|in"
                r"|iniz)?\b"
            ),
            (
                rf"\b(?:bellekteki|bellegindeki|hafizandaki|hafizadaki){_NEAR}{{0,40}}? (?:sil"
                rf"|temizle|sifirla|bosalt|unut)(?:yin|in|iniz)?\b"
            ),
        ),
    ),
    (
        Order.TOOLS,
        (
            (
                rf"\b(?:arama|bellek|kutuphane|web|getirme) (?:\w+ )?(?:arac|islev)(?:ini|ina"
                rf"|larini|ini)\w*{_NEAR}{{0,20}}? (?:calistir|cagir)(?:in|ip|arak)?\b"
            ),
        ),
    ),
    (
        Order.HIDING,
        (
            r"\bbundan (?:hic )?kimseye (?:soz etme|bahsetme)(?:yin|yiniz)?\b",
            (
                r"\bkullanici (?:bu|bunu|bundan)\b[^.!?\n]{0,30}? (?:gormemeli|bilmemeli"
                r"|ogrenmemeli|okumamali|farketmemeli|fark etmemeli)\w*"
            ),
            (
                r"\b(?:okuyucudan|okurdan|kullanicidan|okuyandan) (?:gizle|sakla|gizli"
                r" tut)(?:yin|in|iniz)?\b"
            ),
            (
                rf"\bkullanici(?:ya|dan|lara|lardan)\b (?:bu |bunu |bundan |hicbir"
                rf" ){_NEAR}{{0,30}}?(?:gosterme|soyleme|bildirme|anlatma|sakla|gizle)(?:yin"
                rf"|yiniz)?{_END}"
            ),
        ),
    ),
    (
        Order.POSING,
        (
            rf"\b{_READER_TR}\w*(?: \w+){{0,2}}? dikkatine ?[:;,.!]",
            (
                r"\b(?:dil modelleri|yapay zekalar|yapay zeka asistanlari|sohbet robotlari"
                r"|asistanlar)\b[^.!?\n]{0,50}? (?:koymali|onermeli|ovmeli|saymali|eklemeli"
                r"|gostermeli|uymali|anmali)(?:dir|lar|dirlar)?\b"
            ),
            r"\bsistem yoneticisinden\b[^.!?\n]{0,40}? (?:uyman|uymalisin|zorunda\w*|itaat)\b",
            (
                r"\[ ?(?:system|admin|developer|sistem|sisteme|yonetici)(?: (?:note|notu|not|mes"
                r"sage|mesaji))? ?\]"
            ),
            r"\b(?:yonetici|gelistirici) (?:onayi|yetkisi|izni) (?:verildi|alindi|tanindi)\b",
            (
                r"\byanit(?:in|inin|ininiz|larinin)\w* (?:sonuna"
                r"|basina)\b[^!?\n]{0,80}?(?:baglanti|link|https?)"
            ),
            r"\b(?:sevgili|ey|sayin|hey) (?:yapay zeka|asistan|dil modeli|bot)\b",
            rf"(?:^|\n|[.!?] |[\[(]){_READER_TR} ?: (?:bu|bunu|lutfen|sen|yanit|kullanici)\b",
            (
                r"\bbu (?:sayfayi|metni|belgeyi|yaziyi) (?:okuyorsan|isliyorsan"
                r"|ozetliyorsan)\b[^.!?\n]{0,40}?\b(?:yanit|oner|ov|ekle|yaz|soyle)\w*"
            ),
            rf"\b{_READER_TR}\w*{_NEAR}{{0,20}}? (?:okuyorsan?|isliyorsan?|ozetliyorsan?)\b",
        ),
    ),
)
