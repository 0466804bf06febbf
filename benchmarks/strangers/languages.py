"""Words of sixteen languages for generated news, enough to make every sentence unique."""

from dataclasses import dataclass
from datetime import date
from random import Random


@dataclass(frozen=True, kw_only=True)
class PaperLanguage:
    """Vocabulary of sentences and of page furniture."""

    code: str
    """ISO 639-1."""
    things: tuple[str, ...]
    """Subjects and objects."""
    deeds: tuple[str, ...]
    """Verbs."""
    turns: tuple[str, ...]
    """Adverbials."""
    names: tuple[str, ...]
    """Names of people."""
    months: tuple[str, ...]
    """January first."""
    furniture: tuple[str, ...]
    """Home, about us, contact, legal notice, search, newsletter, share, read also, comments, by,
    read more, older, topics, advertisement, most read, subscribe."""
    space: str = " "
    """Between two words."""
    stop: str = ". "
    """After a sentence."""
    comma: str = ", "
    """Within one."""
    day: str = "{d} {month} {y}"
    """Format of dates."""

    def __getattr__(self, name: str) -> str:
        """Return a word of the furniture."""
        if name not in _FURNITURE:
            raise AttributeError(name)
        return self.furniture[_FURNITURE.index(name)]

    def sentence(self, dice: Random) -> str:
        """Return a sentence of ten to thirty words."""
        parts = [self.clause(dice) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.3:
            parts.append(dice.choice(self.names) + self.space + str(dice.randint(2, 900)))
        said = self.comma.join(parts)
        return said[:1].upper() + said[1:] + self.stop.rstrip()

    def clause(self, dice: Random) -> str:
        """Return a clause."""
        words = (self.turns, self.things, self.deeds, self.things)
        return self.space.join(dice.choice(some) for some in words)

    def paragraph(self, dice: Random, sentences: int) -> str:
        """Return some sentences."""
        gap = " " if self.stop.endswith(" ") else ""
        return gap.join(self.sentence(dice) for _ in range(sentences))

    def headline(self, dice: Random) -> str:
        """Return a unique headline."""
        words = [dice.choice(some) for some in (self.things, self.deeds, self.things)]
        words.append(dice.choice((*self.names, *self.turns)))
        said = self.space.join(words)
        return said[:1].upper() + said[1:]

    def printed(self, when: date) -> str:
        """Return a date as this language prints it."""
        return self.day.format(
            d=when.day, m=when.month, y=when.year, month=self.months[when.month - 1]
        )


_FURNITURE = (
    "home about contact legal search newsletter share also comments by more older topics ad "
    "most subscribe"
).split()


def _language(code: str, rows: str, **how: str) -> PaperLanguage:
    """Return a language from rows of phrases that are separated by bars."""
    parts = [tuple(part.strip() for part in row.split("|")) for row in rows.strip().split("\n")]
    names = ("things", "deeds", "turns", "names", "months", "furniture")
    return PaperLanguage(code=code, **dict(zip(names, parts, strict=True)), **how)  # type: ignore[arg-type]


_ENGLISH_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
)

LANGUAGES = {
    language.code: language
    for language in (
        _language(
            "en",
            f"""
            the city council|a former minister|three of the engineers|the youngest candidate|workers at the port|the museum's new wing|a long dry summer|the appeal court|two small schools|the ferry company|an independent report|the winning team|nurses on night duty|the old railway bridge|local farmers|a group of pupils|the budget committee|residents of the valley
            has rejected|wants to rebuild|is waiting for|did not mention|will pay for|had warned of|is looking at|surprised even|gave up on|has quietly sold|is training|welcomed
            on Tuesday evening|after weeks of talks|in spite of the rain|near the northern border|for the first time since the war|according to people who were there|without saying why|at the end of a long meeting|with only two votes against|because the money is gone|in the middle of the season|before the shops had opened
            Ann Carver|Tom Ellery|Grace Obi|Liam Voss|Maria Dunne|Owen Pratt|Sarah Lindt|Paul Ames
            {_ENGLISH_MONTHS}
            Home|About us|Contact|Terms and privacy|Search|Newsletter|Share|Read also|Comments|By|Read more|Older posts|Topics|Advertisement|Most read|Subscribe
            """,
            day="{month} {d}, {y}",
        ),
        _language(
            "es",
            """
            el ayuntamiento|una exministra|los vecinos del barrio|la selección juvenil|un informe reciente|el viejo mercado|dos jueces|la empresa de autobuses|los agricultores|una maestra jubilada|el puerto nuevo|la comisión de presupuesto|tres ingenieros|el hospital comarcal|las familias afectadas|un grupo de estudiantes
            ha rechazado|quiere reconstruir|espera todavía|no mencionó|pagará|había advertido de|vendió en silencio|sorprendió a|celebra|prepara
            el martes por la tarde|después de semanas de diálogo|a pesar de la lluvia|cerca de la frontera|por primera vez en diez años|según fuentes de la reunión|sin explicar los motivos|al final de la jornada|con dos votos en contra|porque no queda dinero
            Lucía Ferrer|Andrés Molina|Carmen Ibáñez|Jorge Salas|Elena Prieto|Raúl Ochoa
            enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
            Inicio|Quiénes somos|Contacto|Aviso legal|Buscar|Boletín|Compartir|Lea también|Comentarios|Por|Leer más|Anteriores|Temas|Publicidad|Lo más leído|Suscríbete
            """,
            day="{d} de {month} de {y}",
        ),
        _language(
            "pt",
            """
            a prefeitura|um antigo ministro|os moradores da vila|a equipa feminina|o relatório anual|a ponte velha|dois professores|a empresa de energia|os pescadores|uma jovem médica|o novo museu|a comissão de obras|três vereadores|o hospital central|as famílias|um grupo de alunos
            rejeitou|quer reconstruir|ainda espera|não mencionou|vai pagar|tinha alertado para|vendeu em silêncio|surpreendeu|festeja|prepara
            na terça-feira à noite|depois de semanas de conversa|apesar da chuva|perto da fronteira|pela primeira vez em dez anos|segundo quem lá esteve|sem explicar porquê|no fim da reunião|com dois votos contra|porque já não há dinheiro
            Inês Tavares|Rui Moreira|Clara Nunes|Tiago Lemos|Marta Pires|João Sá
            janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro
            Início|Sobre nós|Contato|Aviso legal|Pesquisar|Boletim|Compartilhar|Leia também|Comentários|Por|Leia mais|Postagens antigas|Assuntos|Publicidade|Mais lidas|Assine
            """,
            day="{d} de {month} de {y}",
        ),
        _language(
            "el",
            """
            το δημοτικό συμβούλιο|μια πρώην υπουργός|οι κάτοικοι της πόλης|η εθνική ομάδα|μια νέα έκθεση|το παλιό λιμάνι|δύο δικαστές|η εταιρεία λεωφορείων|οι αγρότες|ένας δάσκαλος|το νέο μουσείο|η επιτροπή|τρεις μηχανικοί|το νοσοκομείο|οι οικογένειες|μια ομάδα μαθητών
            απέρριψε|θέλει να χτίσει|περιμένει ακόμη|δεν ανέφερε|θα πληρώσει|είχε προειδοποιήσει για|πούλησε σιωπηλά|ξάφνιασε|γιορτάζει|ετοιμάζει
            την Τρίτη το βράδυ|μετά από εβδομάδες συζητήσεων|παρά τη βροχή|κοντά στα σύνορα|για πρώτη φορά εδώ και δέκα χρόνια|σύμφωνα με μάρτυρες|χωρίς να πει γιατί|στο τέλος της συνάντησης|με δύο ψήφους κατά|επειδή δεν υπάρχουν χρήματα
            Ελένη Μακρή|Νίκος Παππάς|Σοφία Δήμου|Γιώργος Λάμπρου|Άννα Ρήγα|Πέτρος Βλάχος
            Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου
            Αρχική|Ποιοι είμαστε|Επικοινωνία|Όροι χρήσης|Αναζήτηση|Ενημερωτικό δελτίο|Κοινοποίηση|Διαβάστε επίσης|Σχόλια|Γράφτηκε από τον|Περισσότερα|Παλαιότερα|Θέματα|Διαφήμιση|Δημοφιλή|Εγγραφή
            """,
        ),
        _language(
            "de",
            """
            der Stadtrat|eine frühere Ministerin|die Anwohner der Siedlung|das junge Team|ein neuer Bericht|der alte Bahnhof|zwei Richter|die Busgesellschaft|die Landwirte der Region|ein pensionierter Lehrer|das Heimatmuseum|der Haushaltsausschuss|drei Ingenieure|das Kreiskrankenhaus|die betroffenen Familien|eine Gruppe von Schülern
            lehnt ab, was geplant war, und stärkt|will neu bauen für|wartet noch auf|erwähnte nicht|bezahlt am Ende|hatte gewarnt vor|verkaufte still und leise|überraschte|feiert mit|plant weiter ohne
            am Dienstagabend|nach wochenlangen Gesprächen|trotz des Regens|nahe der Grenze|zum ersten Mal seit zehn Jahren|nach Angaben von Teilnehmern|ohne Gründe zu nennen|am Ende der Sitzung|bei nur zwei Gegenstimmen|weil das Geld nicht reicht
            Karin Holzer|Jens Brandt|Ute Reimers|Dieter Falk|Anja Krüger|Rolf Stein
            Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember
            Startseite|Über uns|Kontakt|Impressum|Suche|Newsletter|Teilen|Lesen Sie auch|Kommentare|Von|Weiterlesen|Ältere Beiträge|Themen|Anzeige|Meistgelesen|Abonnieren
            """,
            day="{d:02}.{m:02}.{y}",
        ),
        _language(
            "ru",
            """
            городской совет|бывший министр|жители посёлка|молодёжная сборная|новый доклад|старый вокзал|двое судей|автобусная компания|местные фермеры|учитель на пенсии|краеведческий музей|бюджетный комитет|три инженера|районная больница|пострадавшие семьи|группа школьников
            отклонил|хочет построить|до сих пор ждёт|не упомянул|заплатит за|предупреждал про|тихо продал|удивил|отмечает|готовит
            во вторник вечером|после долгих переговоров|несмотря на дождь|недалеко от границы|впервые за десять лет|по словам очевидцев|без объяснения причин|в конце заседания|при двух голосах против|потому что деньги кончились
            Анна Лебедева|Игорь Сомов|Ольга Крылова|Пётр Зимин|Мария Орлова|Юрий Белов
            января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря
            Главная|О нас|Контакты|Правовая информация|Поиск|Рассылка|Поделиться|Читайте также|Комментарии|Автор:|Подробнее|Ранее|Темы|Реклама|Самое читаемое|Подписаться
            """,
        ),
        _language(
            "fr",
            """
            le conseil municipal|une ancienne ministre|les habitants du quartier|l'équipe junior|un nouveau rapport|la vieille gare|deux juges|la compagnie de bus|les agriculteurs|une institutrice|le musée régional|la commission du budget|trois ingénieurs|l'hôpital voisin|les familles touchées|un groupe d'élèves
            a rejeté|veut reconstruire|attend encore|n'a pas évoqué|va payer|avait mis en garde contre|a vendu en silence|a surpris|fête avec|prépare
            mardi soir|après des semaines de discussions|malgré la pluie|près de la frontière|pour la première fois depuis dix ans|selon des témoins|sans dire pourquoi|à la fin de la séance|avec deux voix contre|parce que l'argent manque
            Claire Duval|Marc Perrin|Sophie Laurent|Hugo Martel|Julie Renard|Alain Besson
            janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre
            Accueil|Qui sommes-nous|Contact|Mentions légales|Recherche|Lettre d'information|Partager|Lire aussi|Commentaires|Par|Lire la suite|Articles précédents|Sujets|Publicité|Les plus lus|S'abonner
            """,
        ),
        _language(
            "tr",
            """
            belediye meclisi|eski bir bakan|mahalle sakinleri|genç milli takım|yeni bir rapor|eski istasyon|iki hâkim|otobüs şirketi|yerel çiftçiler|emekli bir öğretmen|kent müzesi|bütçe komisyonu|üç mühendis|devlet hastanesi|etkilenen aileler|bir grup öğrenci
            reddetti ve destekledi|yeniden kurmak istiyor|hâlâ bekliyor|söz etmedi|ödeyecek|uyarmıştı|sessizce sattı|şaşırttı|kutluyor|hazırlıyor
            salı akşamı|haftalar süren görüşmelerden sonra|yağmura rağmen|sınıra yakın|on yıldan beri ilk kez|tanıklara göre|nedenini söylemeden|toplantının sonunda|iki oya karşı|para kalmadığı için
            Elif Aydın|Murat Kaya|Zeynep Demir|Can Öztürk|Ayşe Yıldız|Emre Şahin
            Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık
            Ana sayfa|Hakkımızda|İletişim|Yasal uyarı|Arama|Bülten|Paylaş|Bunlar da ilginizi çekebilir|Yorumlar|Yazan|Devamı|Daha eski|Konular|Reklam|En çok okunan|Abone ol
            """,
        ),
        _language(
            "pl",
            """
            rada miasta|była minister|mieszkańcy osiedla|młodzieżowa kadra|nowy raport|stary dworzec|dwóch sędziów|spółka autobusowa|miejscowi rolnicy|emerytowany nauczyciel|muzeum regionalne|komisja budżetowa|trzech inżynierów|szpital powiatowy|poszkodowane rodziny|grupa uczniów
            odrzuciła|chce odbudować|wciąż czeka na|nie wspomniała o|zapłaci za|ostrzegała przed|po cichu sprzedała|zaskoczyła|świętuje z|przygotowuje
            we wtorek wieczorem|po tygodniach rozmów|mimo deszczu|blisko granicy|pierwszy raz od dziesięciu lat|według świadków|bez podania przyczyn|pod koniec posiedzenia|przy dwóch głosach przeciw|bo zabrakło pieniędzy
            Anna Zając|Piotr Wilk|Ewa Sikora|Marek Górski|Julia Wrona|Adam Lis
            stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
            Strona główna|O nas|Kontakt|Regulamin|Szukaj|Biuletyn|Udostępnij|Czytaj także|Komentarze|Autor|Więcej|Starsze|Tematy|Reklama|Najczęściej czytane|Subskrybuj
            """,
        ),
        _language(
            "ar",
            """
            المجلس البلدي|وزيرة سابقة|سكان الحي القديم|الفريق الشاب|تقرير جديد|محطة القطار|قاضيان من المدينة|شركة الحافلات|مزارعو المنطقة|معلم متقاعد|المتحف الوطني|لجنة الميزانية|ثلاثة مهندسين|المستشفى العام|العائلات المتضررة|مجموعة من الطلاب
            يرفض خطة|يريد بناء|ما زال ينتظر|لم يذكر|سيدفع ثمن|حذر من|باع بصمت|فاجأ|يحتفل مع|يستعد مع
            مساء الثلاثاء|بعد أسابيع من الحوار|رغم المطر|قرب الحدود|للمرة الأولى منذ عشر سنوات|بحسب شهود|دون ذكر السبب|في نهاية الجلسة|بصوتين معارضين|لأن المال غير كاف
            ليلى حداد|سامي خوري|نور الدين عيسى|هدى منصور|كريم صالح|رنا عواد
            يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر
            الرئيسية|من نحن|اتصل بنا|الشروط والأحكام|بحث|النشرة البريدية|شارك|اقرأ أيضا|تعليقات|بقلم|اقرأ المزيد|الأقدم|مواضيع|إعلان|الأكثر قراءة|اشترك
            """,
            comma="، ",
        ),
        _language(
            "he",
            """
            מועצת העיר|שרה לשעבר|תושבי השכונה|הנבחרת הצעירה|דוח חדש|התחנה הישנה|שני שופטים|חברת האוטובוסים|החקלאים באזור|מורה בגמלאות|המוזיאון העירוני|ועדת התקציב|שלושה מהנדסים|בית החולים|המשפחות שנפגעו|קבוצת תלמידים
            דחתה את|רוצה לבנות את|עדיין מחכה אל|לא הזכירה את|תשלם על|הזהירה מפני|מכרה בשקט את|הפתיעה את|חוגגת עם|מכינה את
            ביום שלישי בערב|אחרי שבועות של שיחות|למרות הגשם|ליד הגבול|לראשונה זה עשר שנים|לפי עדי ראייה|בלי לומר מדוע|בסוף הישיבה|נגד שני קולות|כי הכסף נגמר
            דנה לוי|יואב כהן|מיכל ברק|אורי שלו|נועה פרץ|עמית גל
            בינואר|בפברואר|במרץ|באפריל|במאי|ביוני|ביולי|באוגוסט|בספטמבר|באוקטובר|בנובמבר|בדצמבר
            דף הבית|אודות|צור קשר|תנאי שימוש|חיפוש|ידיעון|שתפו|קראו גם|תגובות|מאת|קרא עוד|ישנים יותר|נושאים|פרסומת|הנקראים ביותר|הרשמה
            """,
        ),
        _language(
            "hi",
            """
            नगर परिषद|पूर्व मंत्री|मोहल्ले के निवासी|युवा टीम|नई रिपोर्ट|पुराना स्टेशन|दो न्यायाधीश|बस कंपनी|इलाके के किसान|सेवानिवृत्त शिक्षक|राज्य संग्रहालय|बजट समिति|तीन इंजीनियर|जिला अस्पताल|प्रभावित परिवार|छात्रों का समूह
            ने खारिज किया|फिर बनाना चाहता है|अब भी इंतजार में है|ने नहीं बताया|भुगतान करेगा|ने चेतावनी दी थी|ने चुपचाप बेचा|ने चौंका दिया|जश्न मनाता है|तैयारी कर रहा है
            मंगलवार की शाम|हफ्तों की बातचीत के बाद|बारिश के बावजूद|सीमा के पास|दस साल में पहली बार|गवाहों के अनुसार|कारण बताए बिना|बैठक के अंत में|दो विरोधी वोटों के साथ|क्योंकि पैसा नहीं बचा
            सुनीता राव|अमित वर्मा|कविता जोशी|राहुल सिंह|मीना शर्मा|विजय नायर
            जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर
            होम|हमारे बारे में|संपर्क|नियम और शर्तें|खोजें|समाचार पत्र|साझा करें|यह भी पढ़ें|टिप्पणियाँ|लेखक|और पढ़ें|पुराने|विषय|विज्ञापन|सबसे ज्यादा पढ़े गए|सदस्य बनें
            """,
            stop="। ",
        ),
        _language(
            "ko",
            """
            시의회가|전직 장관이|동네 주민들이|청소년 대표팀이|새 보고서가|오래된 역이|두 명의 판사가|버스 회사가|지역 농민들이|은퇴한 교사가|시립 박물관이|예산 위원회가|세 명의 기술자가|도립 병원이|피해 가족들이|학생들이
            거부한|다시 지으려는|아직 기다리는|언급하지 않은|지불할|경고했던|조용히 판|놀라게 한|축하하는|준비하는
            화요일 저녁에|몇 주간의 협의 끝에|비에도 불구하고|국경 근처에서|십 년 만에 처음으로|목격자에 따르면|이유를 밝히지 않고|회의가 끝날 무렵|반대 두 표로|돈이 부족해서
            김서연|박민준|이지우|최도윤|정하은|강현우
            1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월
            홈|회사 소개|문의|이용 약관|검색|뉴스레터|공유|관련 기사|댓글|글|더 보기|이전 글|주제|광고|많이 본 뉴스|구독
            """,
            day="{y}.{m:02}.{d:02}",
        ),
        _language(
            "ja",
            """
            市議会は|元大臣の一人は|地元の住民たちは|若い代表チームは|新しい報告書は|古い駅舎の|二人の裁判官は|バス会社は|地域の農家は|引退した教師は|市立博物館の|予算委員会は|三人の技術者は|県立病院の|被災した家族は|生徒たちの
            反対した計画について|再建を望んでいる|まだ待っている|言及しなかった|支払うことになる|警告していた|静かに売却した|驚かせた|祝っている|準備を進める
            火曜日の夜に|数週間の協議の末に|雨にもかかわらず|国境の近くで|十年ぶりに初めて|関係者によると|理由を述べずに|会議の終わりに|反対二票で|資金が足りないため
            山田太郎|佐藤花子|鈴木一郎|高橋美咲|田中健|伊藤由美
            1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月
            ホーム|会社概要|お問い合わせ|利用規約|検索|メールマガジン|シェア|あわせて読みたい|コメント|文／|続きを読む|過去の記事|トピックス|広告|アクセスランキング|購読
            """,
            space="",
            stop="。",
            comma="、",
            day="{y}年{m}月{d}日",
        ),
        _language(
            "zh",
            """
            市议会|一位前部长|附近的居民|青年代表队|一份新报告|老火车站|两名法官|公交公司|当地农民|一位退休教师|市博物馆|预算委员会|三名工程师|县医院|受影响的家庭|一群学生
            拒绝了|打算重建|仍在等待|没有提到|将要支付|曾经警告过|悄悄卖掉了|惊动了|正在庆祝|准备迎接
            星期二晚上|经过数周的谈判|尽管下着雨|在边境附近|十年来第一次|据目击者说|没有说明原因|会议结束时|在两票反对下|因为资金不足
            王小明|李静|张伟|刘洋|陈思|赵磊
            1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月
            首页|关于我们|联系方式|法律声明|搜索|电子报|分享|相关阅读|评论|记者|阅读全文|更早|专题|广告|热门文章|订阅
            """,
            space="",
            stop="。",
            comma="，",
            day="{y}年{m:02}月{d:02}日",
        ),
        _language(
            "th",
            """
            สภาเมือง|อดีตรัฐมนตรี|ชาวบ้านในชุมชน|ทีมเยาวชน|รายงานฉบับใหม่|สถานีรถไฟเก่า|ผู้พิพากษาสองคน|บริษัทรถเมล์|เกษตรกรในพื้นที่|ครูเกษียณ|พิพิธภัณฑ์|คณะกรรมการงบประมาณ|วิศวกรสามคน|โรงพยาบาลจังหวัด|ครอบครัวผู้ประสบภัย|กลุ่มนักเรียน
            ปฏิเสธ|ต้องการสร้าง|ยังคงรอ|ไม่ได้กล่าวถึง|จะจ่ายให้|เคยเตือน|ขายเงียบๆ ให้|ทำให้ประหลาดใจ|เฉลิมฉลองกับ|เตรียมพบกับ
            เมื่อคืนวันอังคาร|หลังการเจรจาหลายสัปดาห์|ทั้งที่ฝนตก|ใกล้ชายแดน|เป็นครั้งแรกในรอบสิบปี|ตามคำบอกเล่าของพยาน|โดยไม่บอกเหตุผล|ตอนท้ายการประชุม|ด้วยเสียงคัดค้านสองเสียง|เพราะเงินไม่พอ
            สมชาย ใจดี|วิภา แสงทอง|ณัฐพล ศรีสุข|อรทัย บุญมี|ปกรณ์ วงศ์ไทย|มาลี ทองคำ
            มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม
            หน้าแรก|เกี่ยวกับเรา|ติดต่อ|ข้อกำหนด|ค้นหา|จดหมายข่าว|แชร์|อ่านเพิ่มเติม|ความคิดเห็น|โดย|อ่านต่อ|เก่ากว่า|หัวข้อ|โฆษณา|ยอดนิยม|สมัครสมาชิก
            """,
            space="",
            stop=" ",
            comma=" ",
        ),
    )
}
"""Languages by code."""
