import type { RefusalCode } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';
import { span } from './amounts.ts';

export const shell = {
  brand: 'Quadrex',
  connection: { connecting: 'Verbinde …', online: 'Verbunden', reconnecting: 'Verbinde wieder …', signed_out: 'Abgemeldet' },
  outdated: 'Es gibt eine neue Version',
  reload: 'Neu laden',
  dismiss: 'Ausblenden',
  close: 'Schließen',
  cancel: 'Abbrechen',
  copy: 'Link kopieren',
  copied: 'Kopiert',
  guest: (name: string) => `Du spielst als ${name}`,
  deletedUser: 'Gelöschter Nutzer',
  licences: 'Lizenzen',
  toLobby: 'Zur Lobby',
  refusal: (code: RefusalCode, message: string) => {
    const texts = refusals[code];
    return typeof texts === 'string' ? texts : texts(message);
  },
  serverUnreachable: 'Der Server ist nicht zu erreichen.',
  tooManyRequests: (seconds: number) => `Zu viele Versuche. Versuche es in ${seconds} s noch einmal.`,
};

/**
 * The reasons of refusals. Some contain the server's message, because only the message says what
 * exactly was wrong.
 */
const refusals = withFallback<RefusalCode, string | ((message: string) => string)>(
  {
    malformed: (message) => `Der Server konnte das nicht lesen: ${message}`,
    unknown_type: (message) => `Das kennt dieser Server nicht: ${message}`,
    too_large: 'Das ist zu groß.',
    rate_limited: 'Das war zu viel auf einmal. Warte einen Augenblick.',
    hello_expected: 'Die Verbindung ist gestört. Lade die Seite neu.',
    bad_token: 'Deine Anmeldung gilt nicht mehr. Lade die Seite neu.',
    unauthenticated: 'Du bist noch nicht angemeldet. Lade die Seite neu.',
    playing: 'Du spielst gerade eine Partie dieser Variante. Bis zu ihrem Ende hilft dir die Engine dabei nicht.',
    not_found: 'Nicht gefunden, oder nicht für dich freigegeben.',
    forbidden: 'Das darfst du nicht.',
    kicked: 'Der Gastgeber hat dich von diesem Tisch entfernt.',
    player_blocked:
      'Du hast jemanden an diesem Tisch blockiert. Hebe zuerst die Blockierung auf, um dich zu setzen.',
    seat_taken: 'Dieser Platz ist schon besetzt.',
    table_full: 'Alle Plätze sind besetzt.',
    already_seated: 'Du sitzt schon an diesem Tisch.',
    not_seated: 'Du hast diesen Platz nicht.',
    which_seat: 'Du hast mehrere Plätze: Für welchen soll es gelten?',
    substituted: 'Ein Bot spielt für dich. Nimm erst deinen Platz zurück.',
    no_such_seat: 'Diese Farbe spielt hier nicht mit.',
    bad_invite: 'Diese Einladung gilt nicht, ist verbraucht oder abgelaufen, oder sie ist für einen anderen Platz.',
    too_many_links: 'Dieser Tisch hat so viele Links, wie er haben darf. Widerrufe zuerst einen.',
    bad_handover: 'Dieser Link gilt nicht, ist verbraucht oder abgelaufen.',
    bad_mail_link: 'Dieser Link ist nicht mehr gültig.',
    wrong_credentials: 'Der Name oder das Passwort ist falsch.',
    name_taken: 'Dieser Name ist vergeben. Nimm einen anderen.',
    invalid_password: 'Dieses Passwort ist zu kurz, zu lang oder zu leicht zu erraten.',
    already_account: 'Du hast schon ein Konto.',
    account_needed: 'Dafür brauchst du ein Konto. Registriere dich oder melde dich an.',
    outside_rating_range: 'Deine Wertung liegt außerhalb des Bereichs für diesen Tisch.',
    rated_wait: 'Du hast gewertete Partien verlassen und musst vor der nächsten eine Weile warten.',
    provider_failed: 'Der Anbieter ist gerade nicht erreichbar. Versuche es später noch einmal.',
    last_sign_in: 'Du meldest dich nur damit an. Lege zuerst ein Passwort fest.',
    rename_too_soon: 'Du hast deinen Namen erst vor Kurzem geändert.',
    missing_scope: 'Dieses Token erlaubt das nicht.',
    suspended: 'Du bist gesperrt. Du kannst zuschauen, aber nicht spielen und nicht chatten.',
    too_many_tokens: 'Du hast so viele Tokens, wie möglich sind. Widerrufe zuerst eines.',
    list_full: 'Deine Liste ist voll. Entferne zuerst jemanden.',
    not_started: 'Die Partie hat noch nicht begonnen.',
    already_started: 'Die Partie hat schon begonnen.',
    other_match: 'An diesem Tisch ist inzwischen eine andere Partie.',
    ended: 'Die Partie ist zu Ende.',
    eliminated: 'Du bist in dieser Partie ausgeschieden.',
    not_your_turn: 'Du bist nicht am Zug.',
    stale: 'Auf dem Brett hat sich inzwischen etwas geändert. Sieh es dir noch einmal an.',
    illegal_move: 'Dieser Zug ist nicht möglich.',
    paused: 'Die Partie ist gerade pausiert.',
    not_paused: 'Es gibt keine Pause, die enden könnte, oder keine mehr, die beginnen kann.',
    no_draw_to_claim: 'Ein Remis lässt sich jetzt nicht beanspruchen.',
    request_refused: 'Diese Anfrage ist jetzt nicht möglich.',
    no_open_request: 'Diese Anfrage ist nicht mehr offen.',
    wrong_room: 'Du schreibst jetzt in einem anderen Chat dieses Tisches.',
    chat_off: 'Der Gastgeber lässt die Spieler hier nicht frei schreiben.',
    bad_text: 'Der Text ist leer oder zu lang.',
    cmd_taken: 'Diese Anfrage wurde schon einmal gesendet. Versuche es noch einmal.',
    bad_setup: (message) => `Diese Stellung ist nicht gültig: ${message}`,
    bad_setting: (message) => `Diese Einstellung ist nicht gültig: ${message}`,
    bad_origin: 'Die Anfrage kam von einer fremden Seite.',
    busy: 'Die Engine hat gerade zu viel zu tun. Versuche es gleich noch einmal.',
    closing: 'Der Server wird gleich neu gestartet. Versuche es dann noch einmal.',
    internal: (message) => `Fehler im Server: ${message}`,
  },
  (message) => `Das geht nicht: ${message}`,
);

export const ratedWait: Catalogue['ratedWait'] = {
  left: (left) => `Du hast gewertete Partien vorzeitig verlassen. Die nächste kannst du in ${left} spielen.`,
  hint: 'Ungewertete Partien sind immer möglich. Mit jeder beendeten gewerteten Partie wird die Wartezeit kürzer.',
};

export const suspended: Catalogue['suspended'] = {
  title: 'Du bist gesperrt.',
  until: (moment) => `Du bist bis zum ${moment} gesperrt.`,
  reason: (reason) => `Grund: ${reason}`,
  rights: 'Du kannst Partien anschauen, aber nicht spielen und nicht chatten.',
};

export const warning: Catalogue['warning'] = {
  title: 'Eine Nachricht der Moderation',
  hint: 'Bitte lies das und halte dich daran. Sonst kannst du gesperrt werden.',
  acknowledge: 'Verstanden',
};

export const storage: Catalogue['storage'] = {
  cookies: 'Dieser Browser speichert keine Cookies für diese Seite, deshalb kennt dich der Server nicht. Du kannst zuschauen; zum Spielen lass Cookies zu und lade die Seite neu.',
  links: 'Dieser Browser speichert nichts für diese Seite. Heb den Link auf: Du brauchst ihn, um an diesen Tisch zurückzukommen.',
};

export const ownName: Catalogue['ownName'] = {
  title: 'Wähle einen Namen',
  label: 'Dein Name',
  hint: 'Andere Spieler sehen ihn. Auf deiner Profilseite kannst du ihn jederzeit ändern.',
  play: (chosen) => `Als ${chosen} spielen`,
  change: 'Namen ändern',
  save: 'Speichern',
  unavailable: 'Dieser Name ist nicht verfügbar. Versuche einen anderen.',
};

export const nav: Catalogue['nav'] = {
  label: 'Seiten',
  skip: 'Zum Inhalt springen',
  play: 'Spielen',
  archive: 'Archiv',
  ratings: 'Bestenliste',
  analysis: 'Analyse',
  rules: 'Regeln',
  settings: 'Einstellungen',
  page: 'Deine Seite',
  menu: (name) => `${name}: Menü`,
};

export const notFound: Catalogue['notFound'] = {
  title: 'Diese Seite gibt es nicht',
  hint: 'Der Link ist vielleicht falsch, oder die Seite gibt es nicht mehr.',
};

export const notLoaded: Catalogue['notLoaded'] = {
  title: 'Diese Seite konnte nicht geladen werden',
  hint: 'Die Verbindung fehlt, oder es gibt inzwischen eine neuere Version. In beiden Fällen hilft es, neu zu laden.',
};

export const handover: Catalogue['handover'] = {
  open: 'Auf einem anderen Gerät weiterspielen',
  hint: (left_ms) =>
    `Öffne diesen Link auf dem anderen Gerät: Dort bist du dann derselbe Spieler. Er gilt einmal, in den nächsten ${span(left_ms)}. Gib ihn niemandem sonst.`,
  label: 'Link für ein anderes Gerät',
};

export const takeOver: Catalogue['takeOver'] = {
  title: (name) => `Hier als ${name} weiterspielen?`,
  done: (name) => `Du bist gerade ${name}. Deine Partien bleiben, wie sie sind, und im Menü geht es zurück.`,
  warning: 'Nur wenn du den Link selbst erstellt hast: Wer ihn erstellt hat, ist derselbe Spieler und sieht alles, was du tust.',
  decline: (name) => `${name} bleiben`,
  accept: (name) => `Als ${name} weiterspielen`,
  goBack: (name) => `Zurück zu ${name}`,
};
