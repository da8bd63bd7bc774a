import type { Catalogue } from '../index.ts';

export const rules: Catalogue['rules'] = {
  title: 'Die Regeln',
  tagline: 'Schach zu viert auf einem Kreuz, wie es 1987 dem Spiel „Dilkel Checkmates“ beilag. Wer weiß, wie die Figuren ziehen, weiß das meiste schon.',
  contents: 'Auf dieser Seite',
  step: (step, all) => `Schritt ${step} von ${all}`,
  back: 'Zurück',
  next: 'Weiter',
  startOver: 'Von vorn',
  showMe: 'Zeig es mir',
  right: 'Richtig.',
  legalButWrong: 'Ein erlaubter Zug, aber nicht der gesuchte. Versuch es noch einmal.',
  tryOnAnalysisBoard: 'Selbst ausprobieren auf dem Analysebrett',
  pieceHeading: 'Figur',
  worthHeading: 'Wert ungefähr',

  chapters: {
    game: {
      title: 'Das Spiel',
      text: [
        'Vier Armeen stehen rund um ein Brett: Rot im Süden, Blau im Westen, Gelb im Norden, Grün im Osten. Jeder spielt für sich gegen die drei anderen. Partner gibt es nicht.',
        'Das Los entscheidet, wer beginnt. Von da an geht es im Uhrzeigersinn, jeder macht einen Zug. Wer mattgesetzt wird, aufgibt oder keine Zeit mehr hat, scheidet aus, und seine ganze Armee verlässt das Brett. Wer zuletzt übrig bleibt, hat gewonnen.',
        'Das Brett hat vierzehn mal vierzehn Felder ohne die vier Ecken. Eine fehlende Ecke ist ein Rand wie jeder andere.',
      ],
    },
    pieces: {
      title: 'Wie die Figuren ziehen',
      text: [
        'Die Figuren ziehen wie im gewöhnlichen Schach, nur ist das Brett größer und hat mehr Ränder. Was du schlagen kannst, darf jedem der drei anderen gehören.',
        'Ein König wird nie geschlagen. Niemand darf den eigenen König angegriffen stehen lassen, von wem auch immer.',
      ],
    },
    pawns: {
      title: 'Bauern',
      text: [
        'Deine Bauern gehen geradeaus von deiner Seite weg: rote nach oben, blaue nach rechts, gelbe nach unten, grüne nach links. Sie schlagen ein Feld schräg nach vorn. Von seinem Ausgangsfeld darf ein Bauer zwei Schritte gehen.',
        'Ein Bauer, der eine der drei anderen Grundreihen erreicht, wird sofort umgewandelt. Eine Dame gibt es immer. Turm, Läufer und Springer kommen aus deiner Reserve: Das sind deine eigenen Figuren, die geschlagen wurden. Ist die Reserve leer, wird es eine Dame.',
        'En passant schlagen nur Spieler, die sich gegenübersitzen: Rot und Gelb, Blau und Grün. Wer dazwischen sitzt, zieht vorher und kann es vereiteln.',
      ],
    },
    castling: {
      title: 'Rochade',
      text: [
        'Deine Dame steht immer rechts von deinem König. Die kurze Rochade geht darum nach links, mit zwei Feldern zwischen König und Turm, die lange nach rechts, mit dreien.',
        'Der König geht zwei Felder auf den Turm zu, und der Turm auf das Feld, über das der König gegangen ist. Beide dürfen noch nicht gezogen haben, nichts darf dazwischen stehen, und der König darf nicht im Schach stehen und kein Feld überqueren oder erreichen, das jemand angreift.',
      ],
    },
    check: {
      title: 'Schach und Matt',
      text: [
        'Ein König kann von mehreren Spielern zugleich angegriffen sein, und mehrere Könige können gleichzeitig im Schach stehen. Alle sehen es neben den Namen; reagieren muss nur, wer am Zug ist.',
        'Matt wird erst festgestellt, wenn der Mattgesetzte an der Reihe ist. Bis dahin können die anderen helfen, mit Absicht oder ohne. Wer dann matt ist, scheidet aus: Alle seine Figuren verschwinden, und für den Nächsten gilt das Brett, wie es dann ist. So kann ein Matt ein weiteres nach sich ziehen oder ein Schach beenden.',
      ],
    },
    end: {
      title: 'Wie es endet',
      text: [
        'Der letzte Spieler ist Erster; die anderen folgen in der umgekehrten Reihenfolge ihres Ausscheidens.',
        'Wer am Zug ist, keinen erlaubten Zug hat und nicht im Schach steht, ist patt: Dann ist die ganze Partie remis für alle, die noch im Spiel sind. Sie teilen sich den besten Platz, der noch frei ist. Gib also acht auf einen Spieler, der fast nur noch den König hat.',
        'Remis ist es auch, wenn alle sich einigen, wenn niemand mehr matt setzen kann, wenn eine Stellung zum dritten Mal entsteht oder wenn jeder 50 Züge lang gezogen hat, ohne dass ein Bauer zog, etwas geschlagen wurde oder jemand ausschied. Die letzten beiden beansprucht, wer am Zug ist; je nach Einstellung des Tisches gelten sie automatisch.',
        'Aufgabe und abgelaufene Zeit gelten sofort, gleich wer am Zug ist.',
      ],
    },
    hints: {
      title: 'Für deine ersten Partien',
      text: [
        'Läufer und Damen wirken weit auf diesem Brett. Ein Läufer auf einer langen Diagonale zielt auf zwei fremde Lager, und Springer brauchen lange, um irgendwo anzukommen: Der Wert der Figuren verschiebt sich ein wenig.',
      ],
      list: [
        'Bevor du wieder ziehst, fallen drei andere Züge. Frag dich vor jedem Zug bei allen dreien, was sie mit dem Feld anfangen könnten.',
        'Tausche nicht als Erster die Damen: Zwei verlieren etwas, und die beiden anderen freuen sich.',
        'Behalte den Spieler zu deiner Linken im Auge. Er zieht gleich nach dir, und du antwortest ihm als Letzter.',
        'Lass ein paar Bauern vor deinem König stehen. Angriffe kommen auch von den Seiten.',
        'Eine ruhige Armee lebt lange. Wer gerade gekämpft hat, ist das nächste Ziel.',
        'Ein geschlagener Turm ist nicht verloren: Ein Bauer, der drüben ankommt, holt ihn zurück.',
      ],
    },
    classic: {
      title: 'Klassisches Schach',
      text: [
        'Quadrex spielt auch Schach zu zweit, nach den Regeln, die alle kennen: Weiß beginnt, ein Bauer am Ziel wird nach Wahl Dame, Turm, Läufer oder Springer, ein Matt beendet die Partie, und wer nicht ziehen kann, ohne im Schach zu stehen, hat ein Remis.',
      ],
    },
    source: {
      title: 'Woher die Regeln kommen',
      text: [
        'Das Spiel zu viert folgt dem Regelblatt, das 1987 „Dilkel Checkmates 150“ beilag. Wo es schweigt, haben wir uns an andere Regelblätter seiner Zeit und die Schachregeln gehalten und aufgeschrieben, was wir entschieden haben. „Dilkel kompakt“ ist dasselbe Spiel auf einem kleineren Kreuz mit 128 Feldern.',
      ],
    },
  },

  lessons: {
    start: {
      title: 'Der Anfang',
      tasks: { 0: 'Ziehe den Bauern vor der roten Dame zwei Schritte.' },
      captions: [
        'In jeder Armee steht die Dame rechts vom König. Dreht man das Brett um ein Viertel, ändert sich nichts.',
        'Hier beginnt Rot, mit zwei Schritten eines Bauern.',
        'Es geht im Uhrzeigersinn: Als Nächster zieht Blau.',
        'Dann Gelb.',
        'Dann Grün, und wieder Rot.',
      ],
    },
    pieces: {
      title: 'Fünf Figuren',
      captions: [
        'Der Turm zieht auf Linien und Reihen, bis etwas im Weg steht.',
        'Der Läufer zieht diagonal. Durch eine fehlende Ecke kommt er nicht.',
        'Die Dame kann beides.',
        'Der Springer springt: zwei Felder in eine Richtung und eines zur Seite. Über eine fehlende Ecke darf er springen, aber nicht hinein.',
        'Der König zieht ein Feld weit, nie auf ein angegriffenes.',
      ],
    },
    pawns: {
      title: 'Der Weg eines Bauern',
      tasks: { 0: 'Gehe die zwei Schritte.', 2: 'Schlage den gelben Bauern.' },
      captions: [
        'Von seinem Ausgangsfeld darf ein Bauer einen oder zwei Schritte gehen.',
        'Er ging zwei.',
        'Jetzt kann er geradeaus weiter oder schräg schlagen.',
        'Er schlägt: Was vor ihm steht, schlägt ein Bauer nie.',
      ],
    },
    promotion: {
      title: 'Umwandlung aus der Reserve',
      tasks: { 0: 'Schlage den Turm und lass den Bauern zum Springer werden.' },
      captions: [
        'Der rote Bauer steht einen Schritt vor der Grundreihe von Blau: Er kann den Turm in der Ecke schlagen. Rot hat einen Läufer und einen Springer verloren.',
        'Er schlägt den Turm und wird zum Springer, der die Reserve verlässt. Auch eine Dame war möglich, ein Turm nicht: Rot hat keinen verloren.',
        'Der blaue König geht zur Seite. Der blaue Turm ist jetzt in der Reserve von Blau, bis ein blauer Bauer ihn holt.',
      ],
    },
    'en-passant': {
      title: 'En passant',
      tasks: { 2: 'Schlage den roten Bauern en passant.' },
      captions: [
        'Der rote Bauer will zwei Schritte gehen, vorbei an Feldern, die ein blauer und ein gelber Bauer angreifen.',
        'Blau ist an der Reihe. Sein Bauer greift das Feld an, über das der rote ging, aber Blau ist der Nachbar von Rot: Er darf nicht en passant schlagen.',
        'Gelb sitzt gegenüber. Sein Bauer kann auf das übersprungene Feld gehen und den roten schlagen, jetzt oder nie.',
        'En passant geschlagen.',
      ],
    },
    check: {
      title: 'Schach von zweien',
      tasks: { 3: 'Bringe den roten König aus beiden Schachs heraus.' },
      captions: [
        'Der rote König steht im Freien, und Blau ist am Zug.',
        'Der blaue Turm gibt Schach. Rot ist noch nicht an der Reihe.',
        'Gelb zieht anderswo.',
        'Auch der grüne Läufer gibt Schach. Jetzt muss Rot beiden zugleich entkommen: Vier Felder bleiben.',
        'Geschafft.',
      ],
    },
    saved: {
      title: 'Von einem anderen gerettet',
      tasks: { 0: 'Gib dem gelben König mit dem Turm auf j6 Schach.', 1: 'Du bist Blau: Rette den gelben König mit deinem Läufer, auf d9.' },
      captions: [
        'Rot will dem gelben König in der Ecke seines Arms Schach geben.',
        'Gelb käme nicht mehr heraus. Aber erst zieht Blau: Ein Läufer stellt sich dazwischen.',
        'Gelb ist an der Reihe und steht nicht im Schach. Sogar einen Zug hat es noch.',
        'Es geht weiter.',
      ],
    },
    mate: {
      title: 'Matt und ausgeschieden',
      tasks: { 0: 'Gib mit dem Turm auf j6 Schach.' },
      captions: [
        'Dieselbe Stellung. Rot gibt gleich dasselbe Schach.',
        'Gelb kommt nicht heraus, ist aber noch nicht an der Reihe und darum noch im Spiel.',
        'Blau hat nichts dagegen getan. Gelb kam an die Reihe und war matt; seine Armee ist fort. Grün ist am Zug.',
      ],
    },
    stalemate: {
      title: 'Kein Zug mehr',
      tasks: { 0: 'Nimm Gelb mit der Dame alle Felder, ohne Schach zu geben.' },
      captions: [
        'Gelb hat nur noch den König.',
        'Die rote Dame nimmt ihm alle Felder, ohne Schach zu geben.',
        'Gelb ist an der Reihe, hat keinen Zug und steht nicht im Schach: Die ganze Partie ist remis, für alle vier.',
      ],
    },
    castling: {
      title: 'Kurz und lang',
      tasks: { 0: 'Rochiere kurz: zwei Felder nach links.' },
      captions: ['Beide Wege sind offen: zwei Felder nach links, zwei nach rechts.', 'Die kurze Rochade.'],
    },
    classic: {
      title: 'Eine kurze Partie',
      tasks: { 0: 'Ziehe den Bauern vor dem weißen König zwei Schritte.', 2: 'Bringe die Dame nach h5.', 4: 'Ziele mit dem Läufer auf f7, wie die Dame.', 6: 'Matt in einem Zug.' },
      captions: [
        'Die normale Startstellung.',
        'Weiß beginnt.',
        'Schwarz antwortet.',
        'Eine frühe Dame.',
        'Schwarz entwickelt einen Springer.',
        'Ein Läufer hilft der Dame. Beide zielen auf den Bauern neben dem König.',
        'Schwarz greift die Dame an und übersieht etwas.',
        'Matt: Der König kann nicht schlagen, denn der Läufer deckt die Dame.',
      ],
    },
  },
};
