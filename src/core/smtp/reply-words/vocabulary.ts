// The one vocabulary of mail servers: synonyms without accents and in lower case. A weight learnt from one word holds for
// its class, and so does a rule that names the class. Transliterated Russian stands beside Cyrillic. Words after a `/`
// are weighed as the others are, but no rule takes them for certain: "users unknown to us" may be strangers.
const CLASSES = {
	mailbox:
		'mailbox mailboxes user username userid recipient recipients account accounts acct address addresses ' +
		'addressee addressees alias aliases inbox maildrop person customer subscriber member localpart rcpt ' +
		'destinataire destinataires utilisateur utilisateurs adresse adresses compte comptes boite boites usager abonne ' +
		'usuario usuarios destinatario destinatarios buzon buzones cuenta cuentas direccion conta contas endereco ' +
		'enderecos caixa caixas utente utenti casella caselle indirizzo indirizzi ' +
		'empfanger empfaenger empfangeradresse empfaengeradresse benutzer nutzer postfach konto mailadresse emailadresse ' +
		'mailkonto benutzerkonto teilnehmer gebruiker adres ontvanger postbus geadresseerde ' +
		'uzytkownik uzytkownika skrzynka skrzynki odbiorca odbiorcy adresat adresata ' +
		'polzovatel polzovatelya poluchatel poluchatelya yaschik ' +
		'пользователь пользователя получатель получателя адресат адресата ящик ящика адрес ' +
		'mottagare mottagaren mottaker mottakeren modtager modtageren anvandare anvandaren bruger brugeren bruker brukeren ' +
		'adressen vastaanottaja vastaanottajaa kayttaja kayttajaa kullanici alici cimzett felhasznalo postafiok prijemce ' +
		'uzivatel uzivatele schranka / users persons people customers subscribers members login student employee',
	mail: 'mail email mails emails courriel correo correio posta poczta post',
	not:
		'no not non nobody kein keine keinen nicht pas ne aucun aucune ningun ninguna nao nessun nessuna niet geen nie brak ' +
		'нет не ne nem nincs ei inte ikke ej yok degil / net none nothing nor never without',
	exist:
		'exist exists existing existed existe existent existiert esiste bestaat istnieje vorhanden present presente ' +
		'sushchestvuet существует finns findes finnes letezik existuje mevcut',
	missing:
		'nonexistent nonexistant nonexisting inexistent inexistente inexistant inexistants inexistante inesistente ' +
		'nieistniejacy neexistuje introuvable bulunamadi',
	known:
		'known bekannt connu connue conocido conocida conhecido conhecida conosciuto conosciuta bekend znany kjent kant ' +
		'recognized recognised recognize recognise identified registered defined registrado registrada cadastrado cadastrada ' +
		'registriert enregistre / configured provisioned assigned allocated inuse inservice',
	unknown:
		'unknown unknow unkown unbekannt unbekannte unbekannter inconnu inconnue inconnus desconocido desconocida ' +
		'desconhecido desconhecida sconosciuto sconosciuta onbekend nieznany neznamy okand ukjent ukendt tuntematon ' +
		'ismeretlen bilinmeyen neizvesten неизвестен неизвестный unrecognized unrecognised unregistered unidentified',
	found:
		'found find locate located gefunden trouve trouvee encontrado encontrada encontro trovato trovata gevonden ' +
		'znaleziono naiden наиден hittades / match matches matched',
	valid: 'valid gultig gueltig valide valido valida geldig prawidlowy correct real genuine legitimate',
	invalid:
		'invalid ungultig ungueltig invalide invalides invalido invalida ongeldig nieprawidlowy wrong incorrect errato ' +
		'misspelled mistyped falsch / bad illegal undefined erroneous',
	available:
		'available verfugbar verfuegbar erreichbar disponible disponivel disponibile beschikbaar dostepny / reachable',
	unavailable: 'unavailable indisponible indisponivel / unreachable unerreichbar',
	have: 'have has had hat possede tiene tem heeft',
	rejected:
		'rejected reject rejects refused refuse refuses declined abgelehnt zuruckgewiesen rejete rejetee rechazado ' +
		'rechazada rejeitado recusado rifiutato respinto geweigerd odrzucony otklonen отклонен odmitnut avvist',
	here: 'here hier ici aqui qui hiervoor tu tutaj',
	local: 'local locally lokal locale',
	such: 'such solche solcher solches tal tel takiego takogo такого boyle ilyen',
	sorry: 'sorry desole lamentamos spiacenti leider',
	directory: 'directory addressbook book ldap database list table map index',
	host:
		'server system site domain organization organisation institution service machine host dominio domaine ' +
		'servidor serveur',
} as const;

/** The classes of words, in capitals. */
export const CLASS_OF: ReadonlyMap<string, string> = new Map(
	Object.entries(CLASSES).flatMap(([name, words]) =>
		words.split(/ (?:\/ )?/).map((word) => [word, name.toUpperCase()] as const),
	),
);

/**
 * Articles, prepositions and the like in languages other than English. They carry no meaning here, and separate words
 * that do.
 */
export const FILLERS: ReadonlySet<string> = new Set(
	(
		'der das den dem des ein eine einen einer eines unter bei uns zu zum zur mit von im auf es ist sind wird wurde ' +
		'le la les un une du de chez sur dans est ce cet cette nous au aux ' +
		'el los las una del en este esta es se lo um uma os da em nesta neste deste ' +
		'il gli di su questo questa nel al che het een op deze dit van bij ons w na tej tym jest v etot etogo в на этот ' +
		'det den som er ar en ett'
	).split(' '),
);

/**
 * Alternatives of a rule, divided by ` | `; a line that ends without it goes on in the next. The name of a class in
 * capitals stands for its words.
 */
function or({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
	return String.raw({ raw }, ...parts)
		.trim()
		.replaceAll(/(?<= \|)\s*\n\s*/g, ' ')
		.replaceAll(/\n\s*/g, '')
		.replaceAll(' | ', '|')
		.replaceAll(/\b[A-Z]{3,}\b/g, (name) => wordsOfClass(name.toLowerCase() as keyof typeof CLASSES));
}

/** The alternatives as an expression. */
export function expressionOf(raw: TemplateStringsArray, ...parts: readonly string[]): RegExp {
	return new RegExp(or(raw, ...parts), 'u');
}

// `\b` knows Latin letters only. A name follows a space, or what its pattern says.
function wordsOfClass(name: keyof typeof CLASSES): string {
	const [certain = ''] = CLASSES[name].split(' / ');
	return `(?:${certain.replaceAll(' ', '|')})(?![\\p{L}\\p{N}])`;
}

// Replies about a mailbox that is missing or shut. Names in capitals are classes of words.

// `\b` knows Latin letters only.
export const START = or`(?<![\p{L}\p{N}])`;
// Words after which a clause is no longer about the mailbox.
const SOMEONE_ELSE = or`
	\b(?:domain|host|sender|server|dns|record|spf|dmarc|ip|mx|ptr|helo|messages?|client|reverse|polic(?:y|ies)|network|
	password|certificate|credentials|command|header|attachment|dominio|domaine|domane|service|system|resources?|relay|
	route|connection|identities)\b
`;
// Words before the noun that make it our address or account, or no mailbox at all.
const OURS = or`
	\b(?:ip|ipv4|ipv6|network|return|from|sending|sender|sender's|reply-to|source|smtp|your) (?:email )?
`;

/** A mailbox, then at most 40 characters of the same clause without a word that changes its subject, then `state`. */
export function mailboxIs(state: string): string {
	return or`${START}(?<!${OURS})MAILBOX(?:(?!${SOMEONE_ELSE})[^;]){0,40}?${START}(?:${state})`;
}

const DENIES = or`NOT (?:(?:an?|be|se|ha|sido|fue|es|foi|e'?) ){0,2}`;
// Words for a missing mailbox, after the noun. "No valid" goes on with a noun, which may be anything.
export const GONE = or`UNKNOWN | MISSING | nonexist | INVALID | EXIST NOT | ${DENIES}(?:FOUND|EXIST)`;
export const ABSENT = or`
	${GONE} | unavailable\b | may not exist |
	(?!no (?:valid|local|real|correct)\b)${DENIES}(?:KNOWN|VALID|AVAILABLE|LOCAL|(?:listed|current)\b) |
	NOT be (?:verified|delivered) | undeliverable$ | unroute?able\b | missing home | has no (?:mailbox|account) |
	(?:verify|verification|lookup) failed
`;
// The same before the noun.
export const ABSENT_FIRST = or`
	UNKNOWN(?: or (?:illegal|invalid|inactive))? | INVALID(?: or unknown)? | MISSING | undefined | illegal | bad |
	unroute?able | NOT (?:an? |ma )?(?:VALID|KNOWN|LOCAL|EXIST|SUCH|matching)(?: (?:dich[oa]|es[ea]|el|la|est[ea]|ningun))? |
	kein(?:e|en)? | aucune? | nessun[oa]?
`;
export const SHUT = or`
	(?:is |was |been )?disabled | de-?activated | inactiv(?:e|ated) | not active\b | not been activated | suspended | frozen |
	locked | blocked due to inactivity | closed | terminated | discontinued | archived | expired | cancell?ed | retired |
	(?:been|was) (?:deleted|removed) | deprovisioned | abandoned |
	no longer (?:a )?(?:\w+ )?(?:valid|active|available|in use|used|exists?|works?|employed|with|on|accepts?|here|receiv\w+|
	maintained|monitored|accepting)\b | (?:has )?left (?:the|our) (?:company|organi[sz]ation) |
	(?:has |have )(?:left|moved(?!,? no forwarding))(?! to\b) |
	desactive | inactif | suspendue?\b | fermee?\b | archivee?\b | cloturee?\b | desactivad[oa] | deshabilitad[oa] |
	suspendid[oa] | desativad[oa] | inativ[oa] | cancelad[oa] | inactiv[oa] | disattivat[oa] | disabilitat[oa] | sospes[oa] |
	inattiv[oa] | deaktiviert | gesperrt | stillgelegt | geschlossen |
	nicht mehr (?:aktiv|gultig|verfugbar|vorhanden) | заблокирован | отключен
`;

/** Words that resemble a missing mailbox's, but are about logging in, or about us. */
export const NOT_THE_MAILBOX = or`
	\bpasswords?\b | \bcredentials?\b | \byou (?:are not|do not|have no)\b | \b(?:know|find|recogni[sz]e) you\b |
	in the (?:envelope|command)\b | \b(?:your|sending|sender's) (?:email )?(?:account|mailbox|address|user)\b |
	\b(?:sending|mailing) from\b | in the [a-z]+:? header | (?:server|host|service)s? (?:for|of)\s |
	(?:access|connections?) from | unknown (?:users|recipients)\b |
	(?<!\b(?:in|of) (?:the |our |my |this |local )?)\b(?:recipient|user|mailbox|account|mail) (?:store|database|server|
	host|certificate|licen[cs]e|locale|count|syntax|format|lists?|delivery|verification(?! failed))\b |
	\b(?:delivery|verification) (?:to|of|for|is|was|not)\b | \baddress family\b | \bno (?:valid |more )?recipients\b |
	\bsubscriber of\b | \bof (?:the|this|our) (?:mailing )?list\b | \bmailing list\b | \b(?:backup|this) mx\b |
	user agent | from (?:an? )?(?:invalid|unknown) |
	absender | expedit(?:eur|rice) | emetteur | remitente | remetente | mittente | afzender | nadawc | otpravitel | отправител |
	avsender | avsandar | afsender | odesilatel | gonderen | felado | lahettaj | \bde (?:origen|origem|envio)\b |
	\bdns\b | \bip[- ](?:v[46] )?MAILBOX | MAILBOX ip\b | \baddress \[?\d{1,3}\.\d |
	${START}(?:ihre?|votre|vos|uw|su|sua|tuo|twoje?|ваш) (?:email ?)?(?:MAILBOX|аккаунт) | 您的 | 发件人 |
	\bunavailable\b[^/]{0,60}\b(?:un)?(?:auth|permi|allow|forbid|den(?:y|ied)|restrict|polic|spam|flag|filter|quarantin|
	content|overload|busy|error|refused|sender|helo|ehlo|ips?\b|tls|encrypt|rate|limit|delay|defer|later|external|internal|outside)
`;
