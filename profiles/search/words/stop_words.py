"""Words too common to tell notes apart, by language; a query made of nothing else keeps them.

Function words only: articles, pronouns, prepositions, conjunctions, auxiliaries and question words.
"""

from collections.abc import Mapping

ENGLISH = """
a about above after again against all am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers herself him
himself his how i if in into is it its itself just me more most my myself no nor not of off on once only or other our
ours ourselves out over own same she should so some such than that the their theirs them themselves then there these
they this those through to too under until up very was we were what when where which while who whom why will with
would you your yours yourself yourselves
"""

GERMAN = """
aber als am an auch auf aus bei beim bin bis bist da dadurch daher darum das dass dein deine dem den denn der des dessen
deshalb die dies dieser dieses doch dort du durch ein eine einem einen einer eines er es euer eure für hatte hatten hier
hinter ich ihr ihre im in ist ja jede jedem jeden jeder jedes jener jenes jetzt kann kein keine können mein meine mit
muss musste nach nachdem nein nicht nun nur ob oder ohne sehr sein seine sich sie sind so soll sollen sollte sonst um
und uns unser unsere unter vom von vor wann warum was weil welche welchem welchen welcher welches wenn wer werde werden
wie wieder wir wird wirst wo wurde wurden zu zum zur zwischen über
"""

FRENCH = """
au aux avec ce ces cet cette dans de des du elle elles en est et eu il ils je la le les leur leurs lui ma mais mes moi
mon même ne nos notre nous ou où par pas pour qu que quel quelle quels quelles qui quoi sa sans ses son sont sur ta te
tes toi ton tu un une vos votre vous été être comment pourquoi quand combien
"""

SPANISH = """
al ante como con contra cual cuando de del desde donde el ella ellas ellos en entre era es esa ese eso esta este esto
fue ha había hasta hay la las le les lo los me mi mis muy más nada ni nos nosotros o os otra otro para pero por porque
que quien qué se ser si sin sobre su sus sí también te tiene todo tu tus un una uno y ya yo él cómo dónde cuándo
cuánto cuánta cuántos cuántas quién quiénes
"""

ITALIAN = """
agli ai al alla alle allo anche che chi ci come con contro cui da dagli dai dal dalla dalle degli dei del della delle
di dove e è gli ha hanno i il in io la le lei lo loro lui ma mi nei nel nella nelle non o per perché più quale quando
quello questa questo se si sono su sua sue sugli sul sulla suo tra un una uno
"""

PORTUGUESE = """
ao aos as até com como da das de do dos e ela ele em entre era essa esse esta este eu foi há isso isto já lhe mais mas
me meu minha muito na nas no nos não o os ou para pela pelas pelo pelos por qual quando que quem se sem ser seu seus
só sua suas são também te tem um uma você vos onde porque
"""

DUTCH = """
aan als bij dan dat de der deze die dit door een en er had heb hebben het hij hoe ik in is je kan maar met mijn naar
niet nog nu of om ook op over te tot uit van voor waar waarom wanneer was wat welke werd wie wij worden zich zij zijn
zo zou
"""

POLISH = """
a aby albo ale bez bo by być był była było były co czy dla do gdy gdzie go i ich ile im ja jak jaka jaki jakie jako jego
jej jest jestem jeśli już kiedy kto która które którego której który których lub ma może można na nad nas nie nich nim
nimi o od on ona one oni oraz po pod ponieważ przed przez przy są się ta tak także tam te tego tej ten to tu ty tych
tylko tym w we więc wszystko z za ze że
"""

RUSSIAN = """
а без бы был была были было быть в вам вас весь во вот все всего всех вы где да для до его ее если есть еще же за и из
или им их к как какая какие какой ко когда которая которого которое которой которые который которых кто ли мне может
можно мы на над не него нее нет ни них но о об он она они оно от по под после потому почему при про с свой себя со так
также такой там то того тоже той только том ты у уже что чтобы эта эти это этого этой этом этот я
"""

UKRAINIAN = """
а але без би був була були було бути в вам вас весь вже ви від він вона вони воно все де для до є же з за зі і із його
її їх й коли котрий ми може можна на над не ні ну о об от по при про та так також там ти то того той тому у хто це цей
ця чи чого чому що щоб як яка який які якої якого я
"""

CZECH = """
a aby ale ani až bez bude být by byl byla bylo byly co či do ho i já jak jako je jeho její jejich jen ještě ji jsem jsou
k kde kdo kdy když která které který mezi mi na nad ne nebo není o od on ona oni po pod podle pro proč před při s se si
své ta tak také tam ten to tu ty u v ve však z za že
"""

SWEDISH = """
alla att av blev bli blir de dem den denna deras dess det detta dig din du där efter ej eller en er ett från för ha hade
han har henne hennes hon honom hos hur här i icke inom inte jag jag kan man med mellan men mig min mot mycket när någon
något några och om oss på sig sin som så till under upp ut utan vad var varför vem vid vilka vilken vilket vi är över
"""

DANISH = """
ad af alle at blev blive bliver da de dem den denne der deres det dette dig din disse du efter eller en end er et for
fra ha han hans har havde hende hendes her hos hun hvad hvem hvilke hvilken hvis hvor hvordan hvorfor hvornår i ikke ind
jeg jer kan man med meget mellem men mig min mod må ned nogle nogen noget nu når og også om op os over på sig skal som
så til ud under var ved vi vil være
"""

NORWEGIAN = """
alle at av blir ble da de dem den denne der deres det dette du eller en enn er et etter for fra ha han har hadde hans
henne her hos hun hva hvem hvilke hvilken hvis hvor hvordan hvorfor i ikke inn jeg kan man med meg mellom men min mot
må ned noe noen nå når og også om opp oss over på seg skal som så til under ut var ved vi vil være
"""

FINNISH = """
ei eivät en että hän he ja jo joka jos jotka jotta kanssa kuin kuinka kun koska me mikä miksi milloin minä missä mitä
mukaan mutta myös ne niin no nyt ole oli olla on ovat se sekä sen siellä siinä siitä sinä tai te tämä tämän tässä tätä
vaan vai voi
"""

TURKISH = """
ama ancak bir bu bunlar bunu çok da daha de diye en gibi göre hangi hem hep her hiç için ile ise kadar ki kim mı mi mu
mü nasıl ne neden nerede niçin o olan olarak oldu onlar onu sonra şey şu tüm ve veya ya
"""

HUNGARIAN = """
a abban ahhoz ahogy aki akik amely amelyek ami az azok azt azért be csak de e egy ez ezek ezt fel ha hanem hogy hogyan
hol igen is itt ki kell le lehet még meg mert mi miért mikor mint most már nagyon ne nem nincs olyan ott pedig s sem
szerint ugyan után vagy vagyok van vannak volt és én ő
"""

ROMANIAN = """
a acea aceasta această aceste acest ai al ale am ar are as au ca care ce cel cele cu cum când de deci din după e ea el
este eu fi fie fost în între la le lui mai mi nici nu o ori pe pentru prin sa să sau se si și sunt un una unde unei unor
unui
"""

CONTENT_ELSEWHERE = frozenset(
    word
    for words in ("bin com come comment dat den die door dos dove era", "met mit nun pour os sin son sue ton want war")
    for word in words.split()
)
"""Function words of one language that mean something in another or in a file system; their frequency weighs them."""

_EVERYWHERE = {
    "en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH, "it": ITALIAN, "pt": PORTUGUESE, "nl": DUTCH,
}  # fmt: skip
_AT_HOME = {
    "pl": POLISH, "ru": RUSSIAN, "uk": UKRAINIAN, "cs": CZECH, "sv": SWEDISH, "da": DANISH, "no": NORWEGIAN,
    "fi": FINNISH, "tr": TURKISH, "hu": HUNGARIAN, "ro": ROMANIAN,
}  # fmt: skip

SMALL_WORDS: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split()) for code, words in (_EVERYWHERE | _AT_HOME).items()
}
"""All of them by ISO 639-1 code: who writes these, writes that language."""

STOP_WORDS: frozenset[str] = frozenset[str]().union(*(SMALL_WORDS[code] for code in _EVERYWHERE)) - CONTENT_ELSEWHERE
"""Those that say nothing whatever language notes are in."""

STOP_WORDS_AT_HOME: Mapping[str, frozenset[str]] = {code: SMALL_WORDS[code] for code in _AT_HOME}
"""Those that say nothing where notes are in their language, by its code."""
