"""What a model is tried on: questions and answers about the same four things in each of 31 languages."""

from collections.abc import Mapping

PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (
            "How do I bake bread at home?",
            "Knead flour, water and yeast, let the dough rise and bake it in an oven.",
        ),
        ("The dog is ill, who can help?", "A vet treats animals: she examined our puppy and gave it medicine."),
        ("When does the next train leave?", "The timetable at the station shows the departures of the railway."),
        ("What is on my bank account?", "The money was transferred, and the balance of the account is positive."),
    ),
    "de": (
        (
            "Wie backe ich zu Hause Brot?",
            "Mehl, Wasser und Hefe kneten, den Teig gehen lassen und im Ofen backen.",
        ),
        ("Der Hund ist krank, wer kann helfen?", "Eine Tierärztin behandelt Tiere: Sie gab unserem Welpen Medizin."),
        ("Wann fährt der nächste Zug?", "Der Fahrplan am Bahnhof zeigt die Abfahrten der Eisenbahn."),
        ("Was ist auf meinem Konto?", "Das Geld wurde überwiesen, der Kontostand bei der Bank ist positiv."),
    ),
    "fr": (
        (
            "Comment faire du pain à la maison ?",
            "Pétrir farine, eau et levure, laisser lever la pâte, cuire au four.",
        ),
        (
            "Le chien est malade, qui peut aider ?",
            "La vétérinaire soigne les animaux : elle a soigné notre chiot.",
        ),
        ("Quand part le prochain train ?", "L'horaire à la gare montre les départs du chemin de fer."),
        ("Qu'y a-t-il sur mon compte bancaire ?", "L'argent a été viré à la banque, le solde du compte est positif."),
    ),
    "es": (
        ("¿Cómo hago pan en casa?", "Amasar harina, agua y levadura, dejar crecer la masa y meterla en el horno."),
        ("El perro está enfermo, ¿quién puede ayudar?", "La veterinaria cura animales: dio medicina al cachorro."),
        ("¿Cuándo sale el próximo tren?", "El horario de la estación muestra las salidas del ferrocarril."),
        ("¿Qué hay en mi cuenta bancaria?", "El dinero fue transferido al banco y el saldo de la cuenta es positivo."),
    ),
    "ru": (
        ("Как испечь хлеб дома?", "Замесить муку, воду и дрожжи, дать тесту подняться и поставить в горячую печь."),
        ("Собака больна, кто поможет?", "Ветеринар лечит животных: она дала нашему щенку лекарство."),
        ("Когда отправляется следующий поезд?", "Расписание на вокзале показывает отправления железной дороги."),
        ("Что у меня на банковском счёте?", "Деньги переведены в банк, остаток на счёте положительный."),
    ),
    "zh": (
        ("怎样在家里烤面包？", "把面粉、水和酵母揉成面团，发酵以后放进热烤箱。"),
        ("狗生病了，谁能帮忙？", "兽医给动物看病，她给我们的小狗开了药。"),
        ("下一班火车什么时候开？", "车站的时刻表显示铁路列车的出发时间。"),
        ("我的银行账户里有多少钱？", "钱已经转账到银行，账户余额是正数。"),
    ),
    "ja": (
        (
            "家でパンを焼くにはどうすればいいですか。",
            "小麦粉と水とイーストをこね、生地を発酵させて焼きます。",
        ),
        ("犬が病気です。誰が助けてくれますか。", "獣医は動物を診て、うちの子犬に薬をくれました。"),
        ("次の電車は何時に出ますか。", "駅の時刻表には鉄道の列車の出発が載っています。"),
        ("銀行口座にいくらありますか。", "お金は銀行に振り込まれ、口座の残高はプラスです。"),
    ),
    "ar": (
        ("كيف أخبز الخبز في البيت؟", "اعجن الدقيق والماء والخميرة، دع العجين يرتفع ثم ضعه في الفرن."),
        ("الكلب مريض، من يستطيع المساعدة؟", "الطبيبة البيطرية تعالج الحيوانات: أعطت جرونا دواء."),
        ("متى يغادر القطار التالي؟", "جدول المواعيد في المحطة يعرض رحلات السكك الحديدية."),
        ("كم في حسابي المصرفي؟", "تم تحويل المال إلى البنك، ورصيد الحساب موجب."),
    ),
    "bg": (
        (
            "Как да опека хляб у дома?",
            "Замесете брашно, вода и мая, оставете тестото да втаса и го сложете във фурната.",
        ),
        ("Кучето е болно, кой може да помогне?", "Ветеринарката лекува животни: тя даде лекарство на нашето кученце."),
        ("Кога тръгва следващият влак?", "Разписанието на гарата показва заминаванията на железницата."),
        ("Какво има в банковата ми сметка?", "Парите са преведени, салдото по сметката е положително."),
    ),
    "cs": (
        ("Jak upeču doma chléb?", "Uhněťte mouku, vodu a droždí, nechte těsto vykynout a dejte do trouby."),
        ("Pes je nemocný, kdo pomůže?", "Veterinářka léčí zvířata: dala našemu štěněti lék."),
        ("Kdy jede další vlak?", "Jízdní řád na nádraží ukazuje odjezdy železnice."),
        ("Co je na mém bankovním účtu?", "Peníze byly převedeny a zůstatek na účtu je kladný."),
    ),
    "da": (
        ("Hvordan bager jeg brød derhjemme?", "Ælt mel, vand og gær, lad dejen hæve og sæt den i ovnen."),
        ("Hunden er syg, hvem kan hjælpe?", "Dyrlægen behandler dyr: hun gav vores hvalp medicin."),
        ("Hvornår går det næste tog?", "Køreplanen på stationen viser jernbanens afgange."),
        ("Hvad står der på min bankkonto?", "Pengene er overført, og kontoens saldo er positiv."),
    ),
    "el": (
        (
            "Πώς ψήνω ψωμί στο σπίτι;",
            "Ζυμώστε αλεύρι, νερό και μαγιά, αφήστε τη ζύμη να φουσκώσει και βάλτε τη στον φούρνο.",
        ),
        (
            "Ο σκύλος είναι άρρωστος, ποιος μπορεί να βοηθήσει;",
            "Η κτηνίατρος φροντίζει ζώα: έδωσε φάρμακο στο κουτάβι μας.",
        ),
        ("Πότε φεύγει το επόμενο τρένο;", "Το δρομολόγιο στον σταθμό δείχνει τις αναχωρήσεις του σιδηροδρόμου."),
        (
            "Τι έχω στον τραπεζικό λογαριασμό μου;",
            "Τα χρήματα μεταφέρθηκαν και το υπόλοιπο του λογαριασμού είναι θετικό.",
        ),
    ),
    "fa": (
        ("چگونه در خانه نان بپزم؟", "آرد و آب و خمیرمایه را ورز دهید، بگذارید خمیر ور بیاید و در فر بگذارید."),
        ("سگ مریض است، چه کسی می‌تواند کمک کند؟", "دامپزشک حیوانات را درمان می‌کند: او به توله ما دارو داد."),
        ("قطار بعدی کی حرکت می‌کند؟", "برنامه حرکت در ایستگاه، ساعت‌های راه‌آهن را نشان می‌دهد."),
        ("در حساب بانکی من چقدر هست؟", "پول به بانک واریز شد و موجودی حساب مثبت است."),
    ),
    "fi": (
        ("Miten leivon leipää kotona?", "Vaivaa jauhot, vesi ja hiiva, anna taikinan nousta ja paista uunissa."),
        ("Koira on sairas, kuka voi auttaa?", "Eläinlääkäri hoitaa eläimiä: hän antoi pennullemme lääkettä."),
        ("Milloin seuraava juna lähtee?", "Aseman aikataulu näyttää rautatien lähdöt."),
        ("Mitä pankkitililläni on?", "Rahat on siirretty, ja tilin saldo on positiivinen."),
    ),
    "he": (
        ("איך אופים לחם בבית?", "לשים קמח, מים ושמרים, נותנים לבצק לתפוח ומכניסים לתנור."),
        ("הכלב חולה, מי יכול לעזור?", "הווטרינרית מטפלת בחיות: היא נתנה תרופה לגור שלנו."),
        ("מתי יוצאת הרכבת הבאה?", "לוח הזמנים בתחנה מציג את יציאות מסילת הברזל."),
        ("מה יש בחשבון הבנק שלי?", "הכסף הועבר והיתרה בחשבון חיובית."),
    ),
    "hi": (
        ("घर पर रोटी कैसे पकाऊँ?", "आटा, पानी और ख़मीर गूँधें, उसे फूलने दें और तंदूर में सेंकें।"),
        ("कुत्ता बीमार है, कौन मदद कर सकता है?", "पशु चिकित्सक जानवरों का इलाज करती है: उसने हमारे पिल्ले को दवा दी।"),
        ("अगली ट्रेन कब चलेगी?", "स्टेशन की समय सारणी में रेल के प्रस्थान दिखते हैं।"),
        ("मेरे बैंक खाते में क्या है?", "पैसे भेज दिए गए और खाते की शेष राशि सकारात्मक है।"),
    ),
    "hr": (
        (
            "Kako ispeći kruh kod kuće?",
            "Umijesite brašno, vodu i kvasac, pustite tijesto da se digne i stavite ga u pećnicu.",
        ),
        ("Pas je bolestan, tko može pomoći?", "Veterinarka liječi životinje: dala je lijek našem štenetu."),
        ("Kada polazi sljedeći vlak?", "Vozni red na kolodvoru pokazuje polaske željeznice."),
        ("Što je na mom bankovnom računu?", "Novac je prebačen, a stanje računa je pozitivno."),
    ),
    "hu": (
        (
            "Hogyan sütök otthon kenyeret?",
            "Gyúrj lisztet, vizet és élesztőt, hagyd megkelni a tésztát, és tedd a sütőbe.",
        ),
        ("A kutya beteg, ki tud segíteni?", "Az állatorvos állatokat gyógyít: orvosságot adott a kölyökkutyánknak."),
        ("Mikor indul a következő vonat?", "Az állomáson a menetrend mutatja a vasút indulásait."),
        ("Mi van a bankszámlámon?", "A pénzt átutalták, a számla egyenlege pozitív."),
    ),
    "id": (
        (
            "Bagaimana cara memanggang roti di rumah?",
            "Uleni tepung, air dan ragi, biarkan adonan mengembang lalu masukkan ke oven.",
        ),
        (
            "Anjing sakit, siapa yang bisa menolong?",
            "Dokter hewan merawat binatang: ia memberi obat kepada anak anjing kami.",
        ),
        ("Kapan kereta berikutnya berangkat?", "Jadwal di stasiun menunjukkan keberangkatan kereta api."),
        ("Ada berapa di rekening bank saya?", "Uang sudah ditransfer dan saldo rekening positif."),
    ),
    "it": (
        (
            "Come faccio il pane a casa?",
            "Impastare farina, acqua e lievito, far lievitare l'impasto e metterlo in forno.",
        ),
        (
            "Il cane è malato, chi può aiutare?",
            "La veterinaria cura gli animali: ha dato una medicina al nostro cucciolo.",
        ),
        ("Quando parte il prossimo treno?", "L'orario alla stazione mostra le partenze della ferrovia."),
        ("Che cosa c'è sul mio conto in banca?", "Il denaro è stato trasferito e il saldo del conto è positivo."),
    ),
    "ko": (
        ("집에서 빵을 어떻게 굽나요?", "밀가루와 물과 효모를 반죽하고 부풀린 다음 오븐에 넣는다."),
        ("개가 아픈데 누가 도와줄 수 있나요?", "수의사는 동물을 치료한다. 우리 강아지에게 약을 주었다."),
        ("다음 기차는 언제 출발하나요?", "역의 시간표에는 철도의 출발 시각이 나와 있다."),
        ("내 은행 계좌에 얼마가 있나요?", "돈이 송금되어 계좌 잔액은 플러스이다."),
    ),
    "nl": (
        ("Hoe bak ik thuis brood?", "Kneed bloem, water en gist, laat het deeg rijzen en zet het in de oven."),
        ("De hond is ziek, wie kan helpen?", "De dierenarts behandelt dieren: ze gaf onze pup medicijnen."),
        (
            "Wanneer vertrekt de volgende trein?",
            "De dienstregeling op het station toont de vertrektijden van het spoor.",
        ),
        ("Wat staat er op mijn bankrekening?", "Het geld is overgemaakt en het saldo van de rekening is positief."),
    ),
    "no": (
        ("Hvordan baker jeg brød hjemme?", "Elt mel, vann og gjær, la deigen heve og sett den i ovnen."),
        ("Hunden er syk, hvem kan hjelpe?", "Veterinæren behandler dyr: hun ga valpen vår medisin."),
        ("Når går neste tog?", "Rutetabellen på stasjonen viser avgangene til jernbanen."),
        ("Hva står det på bankkontoen min?", "Pengene er overført, og saldoen på kontoen er positiv."),
    ),
    "pl": (
        ("Jak upiec chleb w domu?", "Zagnieść mąkę, wodę i drożdże, pozwolić ciastu wyrosnąć i włożyć je do pieca."),
        ("Pies jest chory, kto może pomóc?", "Weterynarz leczy zwierzęta: dała lekarstwo naszemu szczeniakowi."),
        ("Kiedy odjeżdża następny pociąg?", "Rozkład jazdy na dworcu pokazuje odjazdy kolei."),
        ("Co jest na moim koncie w banku?", "Pieniądze zostały przelane, a saldo rachunku jest dodatnie."),
    ),
    "pt": (
        ("Como faço pão em casa?", "Amasse farinha, água e fermento, deixe a massa crescer e leve ao forno."),
        ("O cão está doente, quem pode ajudar?", "A veterinária trata animais: deu remédio ao nosso cachorrinho."),
        ("Quando parte o próximo trem?", "O horário da estação mostra as partidas da ferrovia."),
        ("O que há na minha conta bancária?", "O dinheiro foi transferido e o saldo da conta é positivo."),
    ),
    "ro": (
        ("Cum coc pâine acasă?", "Frământați făină, apă și drojdie, lăsați aluatul să crească și puneți-l la cuptor."),
        (
            "Câinele este bolnav, cine poate ajuta?",
            "Medicul veterinar tratează animale: i-a dat cățelușului nostru un medicament.",
        ),
        ("Când pleacă următorul tren?", "Orarul din gară arată plecările căii ferate."),
        ("Ce am în contul bancar?", "Banii au fost transferați, iar soldul contului este pozitiv."),
    ),
    "sv": (
        ("Hur bakar jag bröd hemma?", "Knåda mjöl, vatten och jäst, låt degen jäsa och ställ den i ugnen."),
        ("Hunden är sjuk, vem kan hjälpa till?", "Veterinären behandlar djur: hon gav vår valp medicin."),
        ("När går nästa tåg?", "Tidtabellen på stationen visar järnvägens avgångar."),
        ("Vad finns på mitt bankkonto?", "Pengarna är överförda och kontots saldo är positivt."),
    ),
    "th": (
        ("อบขนมปังที่บ้านอย่างไร?", "นวดแป้ง น้ำ และยีสต์ พักให้แป้งขึ้นแล้วนำเข้าเตาอบ"),
        ("สุนัขป่วย ใครช่วยได้บ้าง?", "สัตวแพทย์รักษาสัตว์ เธอให้ยาแก่ลูกหมาของเรา"),
        ("รถไฟขบวนต่อไปออกเมื่อไร?", "ตารางเวลาที่สถานีแสดงเวลาออกของการรถไฟ"),
        ("ในบัญชีธนาคารของฉันมีเท่าไร?", "โอนเงินแล้ว และยอดคงเหลือในบัญชีเป็นบวก"),
    ),
    "tr": (
        ("Evde nasıl ekmek pişiririm?", "Un, su ve mayayı yoğurun, hamur kabarsın ve fırına koyun."),
        ("Köpek hasta, kim yardım edebilir?", "Veteriner hayvanları tedavi eder: yavru köpeğimize ilaç verdi."),
        ("Bir sonraki tren ne zaman kalkıyor?", "İstasyondaki tarife demiryolunun kalkış saatlerini gösterir."),
        ("Banka hesabımda ne var?", "Para havale edildi ve hesabın bakiyesi artıda."),
    ),
    "uk": (
        ("Як спекти хліб удома?", "Замісити борошно, воду й дріжджі, дати тісту підійти та поставити в піч."),
        ("Собака хворий, хто допоможе?", "Ветеринарка лікує тварин: вона дала ліки нашому цуценяті."),
        ("Коли відходить наступний потяг?", "Розклад на вокзалі показує відправлення залізниці."),
        ("Що на моєму банківському рахунку?", "Гроші переказано, залишок на рахунку додатний."),
    ),
    "vi": (
        ("Làm thế nào để nướng bánh mì ở nhà?", "Nhào bột, nước và men, để bột nở rồi cho vào lò."),
        (
            "Con chó bị ốm, ai có thể giúp?",
            "Bác sĩ thú y chữa bệnh cho động vật: cô ấy cho cún con của chúng tôi uống thuốc.",
        ),
        ("Khi nào chuyến tàu tiếp theo khởi hành?", "Lịch trình ở nhà ga cho biết giờ đi của đường sắt."),
        ("Trong tài khoản ngân hàng của tôi có gì?", "Tiền đã được chuyển và số dư tài khoản là dương."),
    ),
}
"""By language, ISO 639-1: what somebody asks, and what answers it alone of its language."""
