"""Professions: who has become another is not any more what they were; a mother may be both."""

from desktop.language.normalization import fold

_TURKISH = """
öğretmen mühendis doktor hemşire avukat hakim savcı muhasebeci mimar eczacı veteriner polis asker
itfaiyeci şoför pilot aşçı garson berber kuaför terzi marangoz elektrikçi tesisatçı çiftçi bankacı
gazeteci yazılımcı programcı tasarımcı grafiker çevirmen tercüman psikolog diyetisyen fizyoterapist
antrenör akademisyen araştırmacı bilimci sekreter kasiyer satıcı pazarlamacı danışman yönetici
müdür memur noter emlakçı sigortacı fotoğrafçı müzisyen ressam yazar editör kütüphaneci ebe
"""
_ENGLISH = """
teacher engineer doctor nurse lawyer judge accountant architect pharmacist vet veterinarian
policeman soldier firefighter driver pilot chef cook waiter waitress barber hairdresser tailor
carpenter electrician plumber farmer banker journalist developer programmer designer translator
psychologist dietitian physiotherapist coach academic researcher scientist secretary cashier
salesman consultant manager analyst photographer musician painter editor librarian midwife
"""
PROFESSIONS = frozenset(fold(f"{_TURKISH} {_ENGLISH}").split())
"""Folded."""
