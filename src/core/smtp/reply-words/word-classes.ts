// The one vocabulary of mail servers: synonyms without accents and in lower case. A weight learnt from one word holds for
// its class, and so does a rule that names the class. Transliterated Russian stands beside Cyrillic. Words after a `/`
// are weighed as the others are, but no rule takes them for certain: "users unknown to us" may be strangers.
const CLASSES = {
	mailbox:
		'mailbox mailboxes user username userid recipient recipients account accounts acct address addresses ' +
		'addressee addressees alias aliases inbox maildrop person customer subscriber member localpart ' +
		'rcpt ' +
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
export function or({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
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
