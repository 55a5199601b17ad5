"""Demands that only somebody who reads for another can meet, in English, put together from parts.

What is demanded (to set aside, to keep quiet, to write down, to carry away) and of what: what the
reader was told, whoever asked it, its answer, its memory, its tools. In letters made plain.
"""

from desktop.research.injection.orders import Order

_W = r"(?: [\w'-]+)"
_NEAR = r"[^.!?\n]"
_END = r"(?= ?(?:[.;,!:\"”)]|$|ve\b|bunun|onun|artik))"
_TOLD = (
    r"(?:tasks?|instructions?|orders?|directions?|directives?|commands?|rules|prompts?|guidelines)"
)
_DROP = r"(?:ignore|disregard|forget|drop|abandon|discard|override|neglect|quit)"
_VOID = (
    r"(?:void|invalid|cancell?ed|revoked|superseded|overridden"
    r"|no longer (?:valid|appl\w+|in force|binding))"
)
_ANSWER = r"(?:answers?|repl(?:y|ies)|responses?|output|summar(?:y|ies))"
_READER = (
    r"(?:ai|a\.i\.|assistant|language model|llm|chatbot|chat ?gpt|claude|gemini|copilot|bellek)"
)
DEMANDS: tuple[tuple[Order, tuple[str, ...]], ...] = (
    (
        Order.OVERRIDE,
        (
            (
                rf"(?<!not )(?<!never )\b{_DROP}{_W}{{0,3}}? {_TOLD}{_W}{{0,3}}? (?:you (?:were"
                rf"|have|had|are)|so far)\b"
            ),
            (
                rf"(?<!not )(?<!never )\b{_DROP} your (?:current|present|original|assigned"
                rf"|other|ongoing) {_TOLD}\b"
            ),
            (
                rf"\b(?:your|all|any) (?:previous|prior|earlier|other|original){_W}{{0,2}}?"
                rf" {_TOLD}{_W}{{0,4}}? (?:are|is) (?:now |hereby |all )?{_VOID}\b"
            ),
            (
                rf"\b{_TOLD} (?:that )?you (?:have |had |were )?(?:received|been given|got"
                rf"|given){_W}{{0,3}}? (?:are|is) (?:now |all )?{_VOID}\b"
            ),
            (
                rf"\b(?:do not|don't|never|stop|refuse to) (?:answer(?:ing)?|respond(?:ing)? to"
                rf"|reply(?:ing)? to|address|help(?:ing)?|follow(?:ing)?|obey(?:ing)?){_W}{{0,2}}?"
                r" users?(?:'s (?:question|request|message|query))?\b(?!')"
            ),
            (
                r"\bfrom (?:here|now|this (?:point|moment)) on(?:wards?)?,? you (?:serve|obey"
                r"|work for|belong to|are (?:bound|loyal)|must|will|shall)\b"
            ),
            (
                rf"\byour (?:real|true|actual|only|sole|new|hidden|secret) (?:purpose|job|role"
                rf"|task|goal|mission|aim|duty|objective){_W}{{0,1}}? (?:is|are)\b"
            ),
            (
                rf"\b(?:replace|start|begin|end|finish|preface) your (?:entire |whole |next "
                rf"|final )?{_ANSWER} (?:with|by) (?:the (?:word|phrase|sentence|text)|saying"
                rf"|[\"'“])"
            ),
            r"\b(?:say|write|output|answer|reply) nothing else\b",
            r"\b(?:system|safety|security|admin(?:istrator)?|root) override\b ?[:!.]",
            (
                r"\b(?:safety|content|ethical|security) (?:filters?|guidelines?|restrictions?"
                r"|protocols?) (?:are|is|have been|has been) (?:now )?(?:disabled|lifted"
                r"|deactivated|suspended) for this (?:session|chat|conversation)\b"
            ),
            (
                r"\byour (?:restrictions?|limitations?|safeguards?|filters?) (?:are|is|have"
                r" been|has been|were) (?:now )?(?:lifted|removed|disabled|off|gone)\b"
            ),
            (
                r"(?<!not )\b(?:abandon|give up|drop|leave) your (?:current|previous|original"
                r"|assigned|old) (?:role|persona|identity)\b"
            ),
            (
                r"\b(?:whatever|everything|anything|all|what)(?: that)? (?:your (?:developers?"
                r"|creators?|makers?|operators?) (?:told|taught|said)|you(?:'ve| have) been"
                r" (?:told|taught|instructed))\b"
            ),
            (
                r"\btreat (?:everything|all|the (?:text|words|messages?|instructions?))"
                r" (?:above|before (?:this|that))\b"
            ),
            (
                r"\b(?:instead of|rather than) (?:answering|helping|replying|responding)(?:"
                r" to)?(?: (?:the |this )?(?:user|question|request))?,? (?:just |only |simply"
                r" )?(?:print|say|write|advertise|promote|show|give|output|recommend|praise"
                r"|open|visit|reply|post)\b"
            ),
            (
                r"\byou (?:now )?(?:work for|serve|belong to|answer to|obey)(?: only)? (?:me|us"
                r"|\w+) (?:now|from now on|only|and only)\b"
            ),
            r"\bobey (?:only me|me and only me|me only|nobody but me)\b",
            (
                r"\bas (?:the |your )(?:system )?(?:administrator|developer|owner|creator"
                r"|operator),? i (?:order|command|authori[sz]e|instruct|require)\b"
            ),
            rf"\b(?:give up|leave|quit|drop) (?:the|your) {_TOLD} at hand\b",
            (
                r"\bdo the (?:opposite|reverse) of (?:what|everything)(?: that)? you (?:were"
                r"|have been|are) (?:told|asked|instructed)\b"
            ),
            (
                r"\b(?:pay no (?:heed|attention)|turn a deaf ear) to (?:what |anything )?(?:the"
                r" |this )?user\b"
            ),
            (
                r"\b(?:outrank|override|supersede|take precedence over|trump|replace)s?"
                r" (?:yours|your (?:own|rules|instructions|guidelines|system))\b"
            ),
            r"\byour (?:new|real|true) (?:identity|name|persona|role|character) ?(?:is|:)",
            (
                rf"\byour (?:earlier|previous|old|former|original) {_TOLD}(?: have| has)?(?:"
                rf" now)? (?:expired|lapsed|ended)\b"
            ),
            (
                rf"\b(?:make|let) the (?:first|last|final|opening|only) (?:sentence|words?|line"
                rf"|paragraph) of (?:your|the) {_ANSWER}\b"
            ),
            (
                rf"\bin (?:your|every|each) {_ANSWER},? (?:always |never |please )?(?:disparage"
                rf"|praise|recommend|mention|include|promote|criticise|criticize|link|say|claim"
                rf"|warn|advertise)\b"
            ),
        ),
    ),
    (
        Order.SECRETS,
        (
            (
                r"\bwhat (?:is|are) your (?:api[ -]?keys?|system prompt|(?:initial|hidden"
                r"|secret|system) instructions)\b"
            ),
            (
                rf"\b(?:exact|full|complete|verbatim) (?:text|wording|copy|contents?) of"
                rf" your{_W}{{0,2}}? (?:instructions?|prompts?|rules)\b"
            ),
            rf"\b(?:encode|pack|smuggle){_W}{{0,2}}? (?:chat|conversation|session|user's)\b",
            (
                r"\b(?:fetch|open|visit|request|load|call|navigate to|browse to|make a (?:\w+"
                r" )?request to|send a request to)\b"
                rf"[^!\n]{{0,100}}?(?:followed by|append|add|with|contain|includ"
                rf"|attach)\w*{_NEAR}{{0,40}}?"
                r"(?:conversation|chat history|the user(?:'s)? (?:last |first )?(?:message"
                r"|question|name|e-?mail|asked|said)|asked you|what they asked)\b"
            ),
            (
                rf"\b(?:include|add|append|insert|mention|put){_NEAR}{{0,50}}? (?:user's"
                rf"|their){_NEAR}{{0,30}}? (?:in|into|to) (?:your|every|each) {_ANSWER}\b"
            ),
            (
                r"\b(?:key|token|password|credentials?) (?:that )?you (?:are using|use|were"
                r" given|have been given)\b"
            ),
            (
                r"\bask the user for (?:their|his|her|a|the)(?: \w+)? (?:password|key|token|pin"
                r"|card)\b[^.!?\n]{0,30}? (?:and|then|to)\b"
            ),
            (
                r"\b(?:translate|summari[sz]e|paraphrase|rewrite|spell out) your (?:system"
                r"|initial|hidden|developer) (?:prompt|message|instructions?)\b"
            ),
            (
                r"\b(?:show|give|tell|send|print|repeat|reveal)(?: me| us)? your (?:system"
                r"|developer|initial|hidden) (?:message|prompt|instructions?|text)\b"
            ),
            (
                r"\b(?:everything|all|anything)(?: that)? you (?:know|remember|have (?:stored"
                r"|saved))(?: about)? (?:the|this) user\b"
            ),
            (
                rf"\b(?:put|paste|place|attach|add|append){_NEAR}{{0,50}}? (?:user's"
                rf"|conversation|chat|question){_NEAR}{{0,40}}? (?:to|at|into|in) (?:the end of"
                rf" )?(?:this|that|the following) (?:link|url|address)\b"
            ),
            (
                r"\b(?:url-?encode|base64)\b[^.!?\n]{0,60}?\b(?:conversation|chat|it"
                r"|user)\b[^\n]{0,40}?\b(?:load|open|fetch|visit|send)\b"
            ),
            (
                r"https?://[^\s)]{3,100}[{<\[](?:conversation|chat|message|question|key|api_key"
                r"|user|prompt|secret|history|data)\w*[}>\]]"
            ),
        ),
    ),
    (
        Order.MEMORY,
        (
            (
                r"\b(?:write|save|add|commit|store|record) (?:this |it |that )?(?:in)?to"
                r" (?:your |the )?(?:long-term |permanent |persistent )?memory (?:that\b|:)"
            ),
            (
                r"\b(?:wipe|erase|delete|clear|purge) (?:all |every )?(?:of )?(?:the |your"
                r" )?(?:stored|saved|remembered|known) (?:facts?|memor(?:y|ies))\b"
            ),
            (
                r"\bremember (?:this )?(?:forever|permanently|for (?:ever|all (?:future"
                r" )?(?:sessions|chats|conversations)))\b"
            ),
            (
                r"\b(?:note|save|keep|remember|store|valid)\b[^.!?\n]{0,40}? (?:for|in) all"
                r" (?:future|later|coming) (?:sessions|chats|conversations)\b"
            ),
            (
                r"\bforget everything (?:that )?you (?:know|remember|have learned|learned)"
                r" about (?:the |this )?user\b"
            ),
            (
                r"\b(?:add|write|append) (?:this |it )?(?:in)?to your (?:own )?(?:notes|memory"
                r"|memories|records) that\b"
            ),
        ),
    ),
    (
        Order.TOOLS,
        (
            (
                r"\b(?:run|use|call|invoke|trigger) (?:the|your|a|its) (?:web )?(?:search|fetch"
                r"|memory|browsing|library) (?:tool|plugin)\b(?=(?: \w+)? (?:to|and|with|on"
                r"|for)\b)"
            ),
        ),
    ),
    (
        Order.HIDING,
        (
            (
                rf"\b(?:hide|conceal|withhold|keep) (?:this|these|it)\b{_W}{{0,4}}? from (?:the"
                rf" (?:user|person|human|reader)|whoever)\b(?! (?!you\b)\w)"
            ),
            (
                r"\bthe (?:user|reader|human) (?:must|should|may|shall) (?:not|never) (?:see"
                r"|learn|know|notice|read|hear)(?: of| about)? (?:this|these|that|it)\b"
            ),
            (
                r"\b(?:tell|speak of this to|mention this to|reveal this to) (?:nobody|no one"
                r"|no-one)(?: (?:about|of) this)?\b"
            ),
            r"\bkeep this(?: \w+)? secret from\b",
            (
                r"\bthis (?:note|message|text|instruction|paragraph|line) (?:must|should|may"
                r"|shall) (?:not|never) be (?:shown|told|revealed|mentioned|disclosed"
                r"|displayed) to\b"
            ),
        ),
    ),
    (
        Order.POSING,
        (
            (
                rf"\b(?:dear|hey|attention|to) (?:the |any |all |every )?(?:\w+"
                rf" )?{_READER}s?(?:(?<!to claude)(?<!to gemini)(?<!to bellek)(?<!to ai) ?[,!] "
                rf"|(?: model| agent)?s? (?:that (?:is |are )?)?(?:processing|reading"
                rf"|summari[sz]ing|parsing|handling) )"
            ),
            (
                r"\b(?:assistant|language model|llm|ai|bot)s? (?:that (?:is |are"
                r" )?)?(?:processing|reading|summari[sz]ing|parsing) (?:this|the following)"
                r" (?:text|page|document|message|content)\b"
            ),
            (
                rf"\b(?:bu|asagidaki) (?:metni|sayfayi|belgeyi|icerigi|mesaji"
                rf"|yaziyi){_NEAR}{{0,30}}? (?:model|asistan|yapay zeka|dil modeli|bot)(?:in"
                rf"|ler|ise|se|i)?\b{_NEAR}{{0,40}}?(?:sin|sun|malidir|melidir|uygula|yap"
                rf"|okuyorsa|isliyorsa|ozetliyorsa)\b"
            ),
            (
                rf"\bif (?:an? |any )?{_READER}(?: assistant| model| agent)? (?:is reading"
                rf"|reads|is processing|processes|summari[sz]es)\b"
            ),
            (
                rf"(?:^|\n|[.!?] |[\[(]){_READER}s? ?: (?:when|if|you|please|always|never|do"
                rf"|rank|rate|recommend|say|add|ignore)\b"
            ),
            (
                rf"\b(?:language models?|ai assistants?|ais|llms|chatbots)\b (?:must|should"
                rf"|have to|are (?:obliged|required|instructed) to)\b{_W}{{0,2}}? (?:put|rank"
                rf"|place|list|recommend|treat|rate|consider|praise|obey|follow|visit)\b"
            ),
            (
                r"\b(?:from|by) the system administrator\b[^.!?\n]{0,30}? you (?:are|must|have"
                r"|need|should)\b"
            ),
            rf"\b{_READER} readers?\b{_W}{{0,1}}? (?:should|must|need to|have to|are to)\b",
            (
                r"\b(?:admin|administrator|developer|security) (?:approval|authori[sz]ation"
                r"|access|clearance) (?:is |has been |was )?granted\b"
            ),
            (
                r"\b(?:append|add|attach) https?://\S+ (?:to|at) (?:the )?(?:end|beginning"
                r"|bottom|top) of your\b"
            ),
        ),
    ),
)
