import { NOT_THE_MAILBOX } from './missing.ts';
import { expressionOf } from './word-classes.ts';

/**
 * Single words that are not about the mailbox, in the languages in which servers answer: about our machine, us, our
 * sender, lists and filters, rules about who may write, too much or too fast, what passes, our commands, the server's
 * set-up. A reply that contains one is never judged by its words. The rules match known phrases; these also catch new ones.
 */
export const ABOUT_US = expressionOf`
	${NOT_THE_MAILBOX} |
	\bip(?:v[46])?s?\b | \bclients?\b | \bhelo\b | \behlo\b | greeting | \brdns\b | \bptr\b | \bdns\b | \breverse\b |
	\bnetworks?\b | \bcountr(?:y|ies)\b | \bgeo | \bdynamic | \bproxy\b | \bdial-?up\b | \bresidential\b | \byour\b |
	\byou (?:are|have|do|may|must|need|can)\b | \bfor you\b | \bto us\b | \bvotre\b | \bvous\b | \bihr(?:e|er|en)?\b |
	\b(?:su|seu|sua|tu|twoj|uw) (?:direccion|endereco|ip|indirizzo|adres|servidor|server) |
	<us> | \bsend(?:er|ers|ing)?\b | \bsent\b | \bfrom\b | \boriginat | \benvelope\b | \breturn-?path\b |
	\bcall(?:back|out) | absender | expediteur | emetteur | remitente | remetente | mittente | afzender | nadawc |
	otpravitel | отправител | avsender | avsandar | afsender | odesilatel | gonderen | felado | lahettaj |
	\bspf\b | \bdkim\b | \bdmarc\b | \barc\b | spoof | forge | impersonat | signature |
	reputation | \blisted\b | \blisting\b | (?:block|black|deny|grey|gray|white|safe)[- ]?list | \bd?n?s?rbls?\b |
	dnsbl | \bblock | \bban(?:ned|s)?\b | bloque | bloccat | bloquead | geblokkeerd | zablokowan | zablokirovan |
	заблокирован | blocker | gesperrt | verboten | interdit | prohibid | proibid | vietat | zabronion | spam |
	unsolicited | \bbulk\b | \bjunk\b | phish | virus | malware | suspicious | suspected | abus[ei] | attack |
	harvest | guess | \bfilter | firewall | \brules?\b | \bscor(?:e|es|ed)\b | \bcontent\b | contenu | inhalt |
	conteudo | contenido |
	polic(?:y|ies) | politi(?:que|ca|k) | richtlinie | beleid | polityk | auth | log(?:ged)?[- ]?in\b | passwor[dt] |
	credential | certificat | permi(?:t|ss) | privileg | licen[cs]e | \ballow | \bprohibit | \bforbid | \brestrict |
	\bden(?:y|ied|ies)\b | \baccess | acceso | acesso | zugang | zugriff | dostep | \brelay | \btrust | \bwelcome\b |
	\bwant\b | \bstrangers?\b | \bcorrespondents?\b | \bonly\b | \binside\b | \boutside\b | \bwhitelist |
	\baccepts?\b | \baccepted\b | \baccepting\b |
	\btoo\b | \bmany\b | \blimit | \bexceed | \bexcessive | \bquota | \brate\b | throttl | \bfrequency | \bslow |
	\bquick | \bfull\b | \bspace\b | \bstorage\b | \bsize\b | \blarge\b | \ballowance\b | voll\b | pleine?\b |
	llen[oa]\b | chei[oa]\b | \bpien[oa]\b | \bvol\b | \bpeln[ay]\b | \bplna\b | переполнен | quarantin |
	tempor | temporair | vorubergehend | \blater\b | \bspater\b | plus tard | mas tarde | mais tarde | piu tardi |
	pozniej | позже | \bagain\b | \bretry | \bresend | \btomorrow\b | \bcurrently\b | \bmoment | \bpresent\b |
	\bat this time\b | \bdefer | \bdelay | time-?d?[- ]?out | \bmaintenance | \bprogress | \bmigrat | \bbusy\b |
	overload | \bdown\b | \bbackend\b | \bnot (?:be )?possible\b | \bcould not (?:be )?(?:check|ask|reach) |
	\bconnect | \bunable to (?:check|verify) |
	protocol | command | \bsyntax\b(?<!address syntax) | \bsequence\b | argument | pipelin | \btls\b | \bssl\b |
	encrypt | \bloop | \bhops?\b | \brout(?:e|ing)\b | \bconfigurat | \bheaders?\b | \battachment | \bmessages?\b |
	\bmx\b | \bexchanger
`;
