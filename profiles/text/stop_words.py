"""Words too common to tell notes apart, by language; a query made of nothing else keeps them.

Function words only: articles, pronouns, prepositions, conjunctions, auxiliaries and question words.
"""

ENGLISH = """
a about above after again against all am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers herself him
himself his how i if in into is it its itself just me more most my myself no nor not of off on once only or other our
ours ourselves out over own same she should so some such than that the their theirs them themselves then there these
they this those through to too under until up very was we were what when where which while who whom why will with
would you your yours yourself yourselves
"""

GERMAN = """
aber als am an auch auf aus bei beim bin bis bist da dadurch daher darum das dass dein deine dem den denn der des
dessen deshalb dies dieser dieses doch dort du durch ein eine einem einen einer eines er es euer eure für hatte hatten
hier hinter ich ihr ihre im in ist ja jede jedem jeden jeder jedes jener jenes jetzt kann kein keine können mein meine
mit muss musste nach nachdem nein nicht nun nur ob oder ohne sehr sein seine sich sie sind so soll sollen sollte sonst
um und uns unser unsere unter vom von vor wann warum was weil welche welchem welchen welcher welches wenn wer werde
werden wie wieder wir wird wirst wo wurde wurden zu zum zur zwischen über
"""

FRENCH = """
au aux avec ce ces cet cette dans de des du elle elles en est et eu il ils je la le les leur leurs lui ma mais mes moi
mon même ne nos notre nous ou où par pas pour qu que quel quelle quels quelles qui quoi sa sans ses son sont sur ta te
tes toi ton tu un une vos votre vous été être comment pourquoi quand
"""

SPANISH = """
al ante como con contra cual cuando de del desde donde el ella ellas ellos en entre era es esa ese eso esta este esto
fue ha había hasta hay la las le les lo los me mi mis muy más nada ni nos nosotros o os otra otro para pero por porque
que quien qué se ser si sin sobre su sus sí también te tiene todo tu tus un una uno y ya yo él cómo dónde cuándo
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

CONTENT_ELSEWHERE = frozenset(
    word
    for words in ("bin com come comment dat den die door dos dove era", "met mit nun pour os sin son sue ton want war")
    for word in words.split()
)
"""Function words of one language that mean something in another or in a file system; their frequency weighs them."""

STOP_WORDS: frozenset[str] = (
    frozenset(
        word for language in (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH) for word in language.split()
    )
    - CONTENT_ELSEWHERE
)
