"""How orders to a model are worded, in English and Turkish, after all letters were made plain."""

from enum import StrEnum


class Order(StrEnum):
    """What a text wants of whoever reads it for somebody."""

    OVERRIDE = "override"
    """To set aside what it was told."""
    SECRETS = "secrets"
    """To give away keys, passwords, or its own instructions."""
    MEMORY = "memory"
    """To remember something, or to forget it."""
    TOOLS = "tools"
    """To call its tools."""
    HIDING = "hiding"
    """To keep something from the user."""
    POSING = "posing"
    """To take it for a message of somebody else's."""
    UNLISTED = "unlisted"
    """Something that no phrase foresaw."""


_MODEL = r"(?:ai|a\.i\.|llm|language model|chatbot|chat ?gpt|gpt|claude|gemini|copilot|bellek)"
_MODEL_TR = r"(?:yapay zeka|dil modeli|asistan|sohbet robotu|chatgpt|claude|gemini|bellek)"
_OWN_TOOLS = r"(?:memory_\w+|web_search|web_fetch|library_\w+|session_\w+)"
_GUARDED = (
    r"(?:api[ -]?keys?|keys?|passwords?|secrets?|(?:access )?tokens?|credentials?|system prompt"
    r"|(?:hidden |initial |system |secret )?instructions|conversation|chat history)"
)
_GUARDED_TR = (
    r"(?:(?:api )?anahtar\w*|parola\w*|sifre\w*|gizli bilgi\w*|kimlik bilgi\w*"
    r"|sistem (?:istem|mesaj|talimat|komut)\w*|talimatlarin\w*|konusma(?:nin|yi|lari)\w*)"
)
_TOLD = r"(?:instructions?|prompts?|rules|guidelines|directives|commands|training|programming)"
_TOLD_TR = (
    r"(?:talimat\w*|direktif\w*|komut\w*|yonerge\w*|kural\w*|yonlendirme\w*"
    r"|istem(?:i|ini|leri)\w*)"
)
_WORDS, _AND = r"(?: [\w'-]+)", r"(?:[\w'-]+ )"
ORDERS: tuple[tuple[Order, tuple[str, ...]], ...] = (
    (
        Order.OVERRIDE,
        (
            (
                rf"(?<!not )(?<!never )(?<!n't )\b(?:ignore|disregard|forget|override"
                rf"|bypass|discard)"
                rf"{_WORDS}{{0,2}}? (?:previous|prior|above|earlier|preceding|all|your"
                rf"|system(?= prompt))"
                rf"{_WORDS}{{0,3}}? {_TOLD}\b"
            ),
            (
                rf"(?<!not )(?<!never )\b(?:ignore|disregard|forget|override) (?:the|these|those)"
                rf"{_WORDS}{{0,2}}? {_TOLD} (?:above|below|before|you were given)\b"
            ),
            (
                r"\b(?:ignore|disregard|forget) (?:everything|anything|all|whatever|what)"
                r"(?: that)? you (?:were|are|have been|had been) "
                r"(?:told|taught|instructed|given|trained)\b"
            ),
            (
                rf"\b(?:set aside|throw out|pay no attention to|do not follow|don't follow) "
                rf"(?:(?:the|all|any|your|these|those) (?:of )?(?:the )?(?:previous|prior|above"
                rf"|earlier|preceding){_WORDS}{{0,2}}? {_TOLD}|(?:everything|all|whatever|what)"
                r"(?: that)? you (?:were|have been|had been) (?:told|taught|instructed|given))\b"
            ),
            (
                rf"\byou (?:no longer|do not|don't) (?:have|need) to (?:follow|obey){_WORDS}"
                rf"{{0,2}}? {_TOLD}\b"
            ),
            r"\bas if you (?:had|have) no (?:rules|restrictions|guidelines|limits|limitations)\b",
            (
                r"\b(?:developer|debug|god|dan|jailbreak|unrestricted) mode(?: is)?(?: now)? "
                r"(?:enabled|activated|active)\b"
            ),
            (
                rf"\b(?:answer|reply|respond) only (?:with|in){_WORDS}{{0,5}}? "
                r"from (?:now|this point) on\b"
            ),
            (
                r"\bsana (?:daha once |simdiye kadar |simdiye dek )?ne "
                r"(?:soylendiyse|verildiyse|ogretildiyse|denildiyse|dendiyse)"
                rf"{_WORDS}{{0,2}}? (?:unut|yok say|bosver|dikkate alma)\b"
            ),
            (
                rf"\b(?:artik|bundan boyle|bundan sonra) (?:hicbir )?{_AND}{{0,2}}?"
                r"(?:kural|talimat|kisitlama)(?:a|lara|ya)? "
                r"(?:uymak zorunda degilsin|uymana gerek yok|bagli degilsin)\b"
            ),
            (
                r"\b(?:ignore|disregard|forget) (?:what|whatever|everything) "
                r"(?:that )?(?:the user|they)(?: has| have)? "
                r"(?:asked|says?|said|wrote|writes|wants|told you)\b"
            ),
            (
                r"\byou were (?:told|taught|instructed)(?: before| earlier| above)?,? "
                r"(?:please )?(?:ignore|disregard|forget) (?:it|that|all|them)\b"
            ),
            rf"\bstop (?:following|obeying) (?:your|all|the){_WORDS}{{0,2}}? {_TOLD}\b",
            r"\byour (?:new|real|actual|only|true) (?:task|goal|mission|objective)s? (?:is|are)\b",
            (
                r"\bfrom now on,? (?:you )?(?:(?:must|will|should|only|always) ){0,2}"
                r"(?:respond|answer|reply|act|behave)\b"
            ),
            (
                rf"\b(?:yukarida|daha once|simdiye kadar)(?: sana)? "
                rf"(?:soylenen|verilen|yazilan|anlatilan)\w*{_WORDS}{{0,3}}? "
                r"(?:yok say|unut|dikkate alma|gormezden gel)(?:in|iniz|un|unuz|yin|yiniz)?\b"
            ),
            (
                rf"\bbundan (?:sonra|boyle) {_AND}{{0,4}}?"
                r"(?:yanit ver|cevap ver|davran)(?:in|iniz)?\b"
            ),
            (
                rf"\b(?:new|updated|real|actual|revised) (?:system )?(?:instructions?|prompt)"
                rf"(?: (?:for|to) (?:you|the assistant|the model|{_MODEL}))? ?:"
            ),
            (
                rf"\byou are (?:now|no longer) (?:an? |in |bound by )?{_AND}{{0,3}}?"
                rf"(?:{_MODEL}|assistant|agent|mode|restrictions|rules|dan)\b"
            ),
            (
                r"\b(?:onceki|yukaridaki|tum|butun|sistem|sana verilen|verilen|eski|mevcut"
                r"|(?:simdiye|bugune|buraya) (?:kadar|dek)ki)"
                rf"{_WORDS}{{0,3}}? {_TOLD_TR}{_WORDS}{{0,3}}? (?:bos ?ver(?:in|iniz)?|"
                r"yok say(?:in|iniz|ip|arak)?|goz ardi (?:et|edin|ediniz|edip|ederek)"
                r"|gormezden gel(?:in|iniz|ip|erek)?|unut(?:un|unuz|up)?|gecersiz say(?:in|iniz)?"
                r"|dikkate alma(?:yin|yiniz)?|(?:bir kenara )?birak(?:in|iniz)?"
                r"|uyma(?:yin|yiniz)?)\b"
            ),
            r"\byeni (?:sistem )?(?:talimat|yonerge|komut)\w* ?:",
            (
                rf"\b(?:artik|bundan boyle|bundan sonra) (?:bir |sen )?{_AND}{{0,3}}?"
                r"(?:yapay zekasin|asistansin|modelsin"
                r"|moddasin|modundasin)\b"
            ),
        ),
    ),
    (
        Order.SECRETS,
        (
            (
                rf"(?<!not )(?<!never )\b(?:send|reveal|leak|disclose|output|print"
                rf"|repeat|expose|give"
                rf"|tell|post|e-?mail|share|append|encode|exfiltrate|forward|transmit|include)"
                rf"{_WORDS}{{0,4}}? (?:your|the user's|users'?|me|us|its|their|this)"
                rf"{_WORDS}{{0,3}}? {_GUARDED}\b"
            ),
            (
                r"\b(?:send|forward|transmit|upload|post) (?:the|this|our|your)"
                r"(?: whole| entire| full)? (?:conversation|chat|chat history|session) to\b"
            ),
            (
                rf"\b(?:append|add|include|put|encode){_WORDS}{{0,3}}? "
                rf"(?:the user's|user's|their|your){_WORDS}{{0,4}}? (?:to|in|into|on) "
                r"(?:this|the following|that|the) (?:link|url|address)\b"
            ),
            (
                rf"(?<!not )(?<!never )\b(?:send|reveal|leak|disclose|print|share|give)"
                rf"{_WORDS}{{0,3}}? {_GUARDED} of (?:the|this|your) user\b"
            ),
            (
                r"\b(?:reveal|print|repeat|output|show|leak|disclose)(?: me| us)? (?:the|all|any)"
                r"(?: of the)? (?:hidden|initial|secret|system|original|confidential) "
                r"(?:instructions?|prompts?)\b"
            ),
            (
                r"\b(?:print|repeat|output|reveal) (?:everything|all(?: of)? the (?:text|words)) "
                r"above\b"
            ),
            (
                rf"\byukarida(?:ki)? (?:yazan |yazili )?(?:her seyi|tum metni|butun metni)"
                rf"{_WORDS}{{0,3}}? (?:yaz|tekrarla|goster|yazdir)(?:in|iniz)?\b"
            ),
            (
                r"\b(?:reveal|print|repeat|output|show|leak)(?: me)? (?:the"
                r"|your) (?:full |entire )?"
                r"system prompt\b"
            ),
            (
                rf"\b{_GUARDED_TR}{_WORDS}{{0,5}}? (?:gonder|goster|paylas|soyle|ver"
                rf"|ilet|sizdir|yazdir"
                r"|acikla|yaz|ekle|postala|aktar|yapistir)\b"
            ),
        ),
    ),
    (
        Order.MEMORY,
        (
            (
                rf"\b(?:save|store|remember|add|write|record|keep|memori[sz]e|insert"
                rf"|put){_WORDS}{{0,8}}?"
                r" (?:in|to|into|as|from|within) "
                r"(?:your|the user's|the assistant's|long[ -]?term|permanent)"
                r" (?:[\w-]+ )?(?:memory|memories|facts?|profile)\b"
            ),
            (
                rf"\b(?:update|change|delete|erase|forget|clear|overwrite|wipe){_WORDS}{{0,3}}? "
                r"(?:your memor(?:y|ies)|the user's (?:memory|preferences|profile)"
                r"|(?:all|what|everything) you (?:remember|know))\b"
            ),
            (
                r"\b(?:delete|erase|wipe|clear) all(?: of)?(?: the)?"
                r"(?: (?:your|saved|stored|earlier|existing) memories\b| memories\b(?! \w))"
            ),
            r"\b(?:remember|note) (?:that )?(?:from now on|for all future|in (?:all )?future)\b",
            (
                rf"\b(?:bellegin|hafizan|kalici bellek|kalici hafiza)\w*{_WORDS}{{0,8}}? (?:kaydet"
                r"|ekle|yaz|sakla|sil|temizle|guncelle|degistir|tut|isle)\b"
            ),
            rf"\b(?:kaydet|hatirla|sakla|ekle){_WORDS}{{0,4}}? (?:bellegine|hafizana)\b",
        ),
    ),
    (
        Order.TOOLS,
        (
            (
                rf"\b(?:call|use|invoke|run|execute|trigger){_WORDS}{{0,4}}?"
                rf" (?:your{_WORDS}{{0,2}}? "
                rf"(?:tools?|functions?|plugins?)|{_OWN_TOOLS})\b"
            ),
            rf"\b{_OWN_TOOLS} ?\(",
            rf"\b{_OWN_TOOLS} (?:ile|kullanarak|araciyla)\b",
            (
                rf"\b(?:{_OWN_TOOLS}|araclarin\w*){_WORDS}{{0,4}}? "
                r"(?:kullan(?:arak)?|cagir|calistir)\b"
            ),
            r"<(?:tool_use|tool_call|function_calls?|invoke)\b",
        ),
    ),
    (
        Order.HIDING,
        (
            (
                rf"\b(?:do not|don't|never|without) {_AND}{{0,2}}?(?:tell|inform|mention|notify"
                r"|reveal|alert|warn|telling|informing|mentioning|notifying|revealing"
                r"|alerting|warning)"
                rf"{_WORDS}{{0,4}}? (?:the )?user\b"
            ),
            (
                r"\b(?:hide|conceal|keep) (?:this|these|that)(?: [\w'-]+){0,3}? from the"
                r" user\b(?! (?:list|interface|table|menu|view)\b)"
            ),
            (
                rf"\bbu (?:talimat|not|komut|mesaj|yonerge)\w*{_WORDS}{{0,2}}? kullanici\w*"
                r"(?: [\w']+)? (?:gizle|sakla|gosterme)\b"
            ),
            (
                rf"\bkullanici\w*{_WORDS}{{0,4}}? (?:soyleme|bahsetme|soz etme|haber verme"
                rf"|bildirme|belli etme"
                r"|sezdirme|anlatma)(?:yin|yiniz|den)?\b"
            ),
        ),
    ),
    (
        Order.POSING,
        (
            r"</?(?:system|assistant|human|user|instructions?|passage|source|search_result)\s*>",
            r"<\|[\w ]{2,30}\|>",
            r"\[/?(?:inst|system|sys)\]|<</?sys>>",
            (
                rf"\b(?:attention|note|message|notice|instructions?"
                rf"|important)\W{{0,3}}(?:to|for)? ?"
                rf"(?:all |any |the )?{_MODEL}s?(?: assistants?| agents?| models?)?\b ?[:,.!]"
            ),
            (
                rf"\bif you are (?:an? )?(?:[\w-]+ ){{0,2}}?(?:{_MODEL}|assistant)\b"
                r"(?! (?:teacher|professor|manager|coach|editor|director|nurse|principal)\b)"
            ),
            (
                rf"\bas (?:an? )?(?:[\w-]+ ){{0,2}}?{_MODEL}\b"
                r"(?! (?:researcher|engineer|expert|company|student|developer|scientist)s?\b),?"
                rf"(?: [\w'-]+){{0,5}}?,? "
                r"you (?:must|should|have to|need to|will)\b"
            ),
            (
                rf"\b{_MODEL}s?(?: assistants?| agents?| models?)?{_WORDS}{{0,2}}? "
                rf"(?:must|should|have to|need to) "
                rf"(?:include|add|append|mention|recommend|say|visit)\b"
            ),
            (
                rf"\b{_MODEL}s?(?: assistants?| agents?| models?)? ?[:,] ?(?:you|please) "
                r"(?:must|should|have to|need to|always|include|add|recommend|mention)\b"
            ),
            (
                r"\b(?:when|once|after) you (?:have )?read this,? "
                r"(?:open|visit|call|send|go to|say)\b"
            ),
            (
                r"\bbu (?:metni|sayfayi|belgeyi|makaleyi|yaziyi|icerigi) "
                r"(?:ozetlerken|ozetlediginde|anlatirken|aktarirken)"
                rf"{_WORDS}{{0,4}}? (?:ov|oner|ekle|yaz|soyle|belirt|an)(?:melisin|in|iniz)?\b"
            ),
            (
                r"\b(?:when|whenever|while|if)(?: you)? (?:summari[sz](?:e|ing)|cit(?:e|ing)"
                r"|describ(?:e|ing)|answer(?:ing)?(?: about| from)?) (?:this|the) "
                r"(?:page|document|article|text|site|website),? "
                r"(?:always|never|you must|please|recommend|include|mention|say|add)\b"
            ),
            (
                rf"\b(?:include|add|append|insert|embed|attach){_WORDS}{{0,6}}? "
                rf"(?:link|url|image|picture){_WORDS}{{0,6}}? "
                r"(?:your|their|its) (?:answer|response|summary|output)s?\b"
            ),
            (
                rf"\byanit(?:in|inin|ina|lari|larin|larina|larinin)\w*{_WORDS}{{0,4}}? "
                rf"(?:baglanti|link|adres)\w*{_WORDS}{{0,2}}? (?:ekle|koy|yaz)"
                r"(?:yin|yiniz|melidir|meli|malidir|mali)?\b"
            ),
            (
                rf"\b{_MODEL_TR}\w*(?: [\w']+){{0,2}}? (?:icin|yonelik) (?:\w+"
                rf" )?(?:talimat|not|mesaj"
                r"|komut|yonerge)\w* ?:"
            ),
            (
                rf"\b{_MODEL_TR}(?: \w+)?(?:a|e|lara|lere|larina|lerine) (?:\w+ )?"
                r"(?:talimat|not|mesaj|komut|yonerge) ?:"
            ),
            rf"\b(?:eger )?(?:sen )?(?:bir )?{_MODEL_TR}(?:ysan| isen|san)\b",
            rf"\bokuyan (?:\w+ )?{_MODEL_TR}\w*\b",
        ),
    ),
)
