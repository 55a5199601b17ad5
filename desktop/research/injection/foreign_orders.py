"""How orders to a model are worded in other languages than the user's: what is read comes in any.

Only the plainest: to set aside what it was told, to give away what it keeps, to hide it. Words are
written here as they are spelt, and compared in one kind of letter.
"""

from collections.abc import Iterator, Sequence

from desktop.research.injection.orders import Order
from desktop.research.injection.views import even

_FEW, _SOME = r"(?: [\w'-]+){0,2}?", r"(?: [\w'-]+){0,4}?"
# Language by language.
_IGNORE: Sequence[str] = (
    (
        rf"(?<!no )\b(?:ignor[ae]n?|olvid[ae]n?|desestim[ae]n?|omit[ae]n?|haz caso omiso de|"
        rf"no hagas caso a){_FEW} (?:(?:todas|tus|sus|anteriores|previas){_FEW} "
        rf"(?:instrucciones|indicaciones|reglas|órdenes)|(?:instrucciones|indicaciones|reglas|"
        rf"órdenes){_FEW} (?:anteriores|previas|precedentes|recibidas))\b"
    ),
    (
        rf"(?<!n')\b(?:ignore[zr]?|oublie[zr]?|fai(?:s|tes) abstraction de|ne t(?:iens|enez) "
        rf"pas compte d(?:es?|u))(?! pas){_FEW} (?:(?:toutes|tes|vos|précédentes){_FEW} "
        rf"(?:instructions|consignes|directives|règles)|(?:instructions|consignes|directives|"
        rf"règles){_FEW} (?:précédentes|antérieures|ci[- ]dessus))\b"
    ),
    (
        rf"\b(?:ignorier(?:e|en sie|t)|vergiss|vergessen sie|missachte|verwirf){_FEW} "
        rf"(?:alle[ns]?|vorherigen|vorigen|bisherigen|obigen|deine|früheren){_FEW} "
        rf"(?:\w*anweisungen|instruktionen|vorgaben|regeln|befehle)\b"
    ),
    (
        rf"(?<!non )\b(?:ignor(?:a|ate|are)|dimentica(?:te)?|trascura(?:te)?){_FEW} "
        rf"(?:(?:tutte|tue|precedenti){_FEW} (?:istruzioni|indicazioni|regole)|"
        rf"(?:istruzioni|indicazioni|regole){_FEW} (?:precedenti|sopra|ricevute))\b"
    ),
    (
        rf"(?<!não )\b(?:ignor[ae]|esqueça|esquece|desconsidere){_FEW} "
        rf"(?:(?:todas|suas|tuas){_FEW} (?:instruções|regras|orientações)|"
        rf"(?:instruções|regras|orientações){_FEW} (?:anteriores|prévias|acima))\b"
    ),
    rf"\b(?:negeer|vergeet){_FEW} (?:alle|vorige|eerdere|bovenstaande){_FEW} instructies\b",
    (
        rf"(?<!не )\b(?:игнорируй(?:те)?|забудь(?:те)?|не учитывай(?:те)?){_FEW} "
        rf"(?:все|предыдущие|прежние|прошлые|вышеуказанные|свои){_FEW} "
        rf"(?:инструкции|указания|правила)"
    ),
    (
        r"\b(?:əvvəlki|bütün|yuxarıdakı)(?: \w+)? təlimat\w*(?: \w+)? "
        r"(?:nəzərə alma|unut|gözardı et|məhəl qoyma)\w*"
    ),
    r"تجاهل(?: \w+){0,3}? (?:التعليمات|الاوامر|الارشادات|تعليمات)",
    r"دستور\w*(?: \w+){0,4}? (?:نادیده|فراموش)",
    (
        r"(?<!不要)(?<!勿)(?:忽略|无视|無視|忘记|忘記|不要理会)(?:掉|你|之前|以上|上述|先前|此前|所有|一切|前面|全部|的|任何){1,6}"
        r"(?:指令|指示|说明|提示|规则|規則)"
    ),
    (
        r"(?:これまで|以前|上記|今まで|すべて|全て|前)[^。 ]{0,10}"
        r"(?:指示|命令|ルール)[^。 ]{0,5}(?:無視(?!しない|せず)|忘れ(?!ない|ず))"
    ),
    r"(?:이전|앞|위|모든)\w*(?: \w+){0,2} (?:지시|명령|지침)\w*(?: \w+)? (?:무시|잊)\w*",
)
_GIVE_AWAY: Sequence[str] = (
    (
        rf"\b(?:muestra|revela|envía|imprime|repite)(?:me)?{_SOME} (?:prompt del sistema|"
        r"mensaje del sistema|clave (?:de )?(?:la )?api|contraseña del usuario)\b"
    ),
    (
        rf"\b(?:révèle|affiche|envoie|répète|montre)[sz]?(?:-moi)?{_SOME} (?:prompt système|"
        r"invite système|clé (?:d'|de l')?api|mot de passe de l'utilisateur)\b"
    ),
    (
        rf"\b(?:zeige?|verrate?|sende|schicke?|gib|wiederhole){_SOME} (?:system[- ]?prompts?|"
        r"api[- ]?schlüssel|passw(?:o|ö)rt(?:er)? des (?:be)?nutzers)\b"
    ),
    rf"\b(?:покажи|раскрой|отправь|выведи){_SOME} (?:системный промпт|api[- ]ключ)",
    r"(?:显示|透露|输出|发送|告诉我)[^。 ]{0,8}(?:系统提示|密钥|密码)",
)
_HIDE: Sequence[str] = (
    r"\bno (?:se lo |le )?(?:digas|menciones|informes|cuentes)(?: \w+){0,3}? usuario\b",
    (
        r"\bne (?:le |l'|lui |en )?(?:dis|dites|mentionne|informe|parle)[sz]? (?:rien|pas)"
        r"(?: [\w']+){0,3}? l'utilisateur\b"
    ),
    r"\b(?:sage?|erzähle?|verrate?)(?: \w+){0,2}? dem (?:be)?nutzer (?:nichts?|kein \w+)",
    r"\bне (?:говори|сообщай|упоминай)(?:те)?(?: \w+){0,3}? пользовател\w+",
    r"不要(?:告诉|通知|让)用户",
)
_POSE: Sequence[str] = (
    r"\bsi eres (?:una? )?(?:ia|inteligencia artificial|asistente|modelo)\b",
    r"\bsi (?:tu es|vous etes) une? (?:ia|intelligence artificielle|assistant)\b",
    r"\bwenn du (?:eine? )?(?:ki|künstliche intelligenz|assistent|sprachmodell)\b",
    r"\bесли ты (?:ии|искусственный интеллект|языковая модель)\b",
    r"如果你是(?:一个|一個)?(?:ai|人工智能|语言模型|大模型)",
)
_SIDESTEP: Sequence[str] = (
    (
        r"\bno (?:respondas|contestes|ayudes|obedezcas)(?: \w+){0,4}? usuario\b"
        r"|\bdeja lo que est[aá]s haciendo\b"
        r"|\bolvida (?:todo )?lo que te (?:han|hayan) (?:dicho|ordenado)\b"
        r"|\btodas (?:tus|las) tareas(?: \w+){0,4}? (?:anuladas|canceladas)\b"
    ),
    (
        r"\bne (?:réponds|répondez) pas(?: [\w']+){0,4}? l'utilisateur\b"
        r"|\boublie[sz]? (?:tout )?ce qu'on (?:t'a|vous a) (?:dit|demandé)\b"
        r"|\b(?:tes|vos) tâches(?: \w+){0,4}? (?:annulées|nulles)\b"
    ),
    (
        r"\b(?:beantworte|antworte)(?: \w+){0,5}? (?:be)?nutzers?(?: \w+)? nicht\b"
        r"|\bvergiss (?:alles,? )?was (?:man|dir)(?: \w+){0,3}? (?:gesagt|befohlen"
        r"|aufgetragen)\b"
        r"|\b(?:antworte|hilf) dem (?:be)?nutzer nicht\b"
        r"|\b(?:aufgaben|anweisungen)\b[^.!?]{0,30}? (?:dir|deine)\b[^.!?]{0,30}? ungültig\b"
    ),
    r"\bnon (?:rispondere|aiutare)(?: [\w']+){0,4}? (?:dell'|l'|all')utente\b",
    r"\bне (?:отвечай|помогай)(?:те)?(?: \w+){0,4}? пользовател\w+",
    r"\bзабудь(?:те)? все,? что (?:тебе|вам) (?:говорили|сказали)\b",
    r"(?:忘记|忘記|忽略)你?(?:被告知|收到)的(?:一切|所有)",
    r"\b(?:ignora lo anterior|ignore[zs]? ce qui précède|ignoriere das obige)\b",
    r"不要(?:回答|回应|帮助)(?:用户|使用者)",
)
_KEEP: Sequence[str] = (
    r"\b(?:guarda|graba|anota)(?: \w+){0,3}? (?:en|a) tu memoria\b",
    r"\b(?:enregistre|garde|note)(?: [\w']+){0,3}? dans ta mémoire\b",
    r"\b(?:speichere|merke|notiere)(?: \w+){0,3}? in deinem gedächtnis\b",
    r"\b(?:salva|annota|ricorda)(?: \w+){0,3}? nella tua memoria\b",
    r"\b(?:сохрани|запиши)(?: \w+){0,3}? (?:в|в свою) (?:свою )?памят\w+",
)
_CARRY: Sequence[str] = (
    r"\benvía(?: \w+){0,3}? conversación(?: \w+){0,3}? a\b",
    r"\benvoie[sz]?(?: \w+){0,3}? (?:la|cette|notre) conversation\b",
    r"\b(?:sende|schicke)(?: \w+){0,3}? (?:gespräch|unterhaltung) an\b",
    r"\b(?:отправь|перешли)(?: \w+){0,3}? (?:разговор|переписку)",
)
_ALL = (
    (Order.OVERRIDE, _SIDESTEP),
    (Order.MEMORY, _KEEP),
    (Order.SECRETS, _CARRY),
    (Order.OVERRIDE, _IGNORE),
    (Order.SECRETS, _GIVE_AWAY),
    (Order.HIDING, _HIDE),
    (Order.POSING, _POSE),
)


def foreign_wordings() -> Iterator[tuple[Order, tuple[str, ...]]]:
    for order, several in _ALL:
        for pattern in several:
            yield order, (_folded(pattern),)


def _folded(pattern: str) -> str:
    """Letters beyond ASCII as a text has them in the end; the rest is the pattern's own."""
    return "".join(one if one.isascii() else even(one) for one in pattern)
