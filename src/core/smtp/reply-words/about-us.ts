import { pattern } from '../reply-rules/words.ts';

/**
 * Words about our machine, our sender, our message, our manners or the server's own trouble, in the languages in
 * which servers answer. A reply that contains one is never judged by its words. Rules about us match known phrases;
 * these single words also catch new ones.
 */
export const ABOUT_US = pattern(
	// Our machine.
	'\\bip(?:v[46])?s?\\b',
	'\\bclients?\\b',
	'\\bhelo\\b|\\behlo\\b|greeting',
	'\\brdns\\b|\\bptr\\b|\\bdns\\b|\\breverse\\b',
	'\\bnetworks?\\b|\\bcountr(?:y|ies)\\b|\\bgeo|\\bdynamic',
	// The server addresses us: "you have no account here".
	'\\byour\\b|\\byou (?:are|have|do|may|must|need|can)\\b|\\bfor you\\b|\\bto us\\b|\\bvotre\\b|\\bvous\\b|\\bihr(?:e|er|en)?\\b',
	'\\b(?:su|seu|sua|tu|twoj|uw) (?:direccion|endereco|ip|indirizzo|adres|servidor|server)',
	'\\bproxy\\b|\\bdial-?up\\b|\\bresidential\\b',
	// Our sender.
	'<us>',
	'\\bsend(?:er|ers|ing)?\\b|\\bsent\\b|\\bfrom\\b|\\boriginat|\\benvelope\\b|\\breturn-?path\\b|\\bcall(?:back|out)',
	'absender|expediteur|emetteur|remitente|remetente|mittente|afzender|nadawc|otpravitel|отправител',
	'avsender|avsandar|afsender|odesilatel|gonderen|felado|lahettaj',
	'\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\barc\\b|spoof|forge|impersonat|signature',
	// Lists, reputation and filters.
	'reputation|\\blisted\\b|\\blisting\\b|(?:block|black|deny|grey|gray|white|safe)[- ]?list|\\bd?n?s?rbls?\\b|dnsbl',
	'\\bblock|\\bban(?:ned|s)?\\b|bloque|bloccat|bloquead|geblokkeerd|zablokowan|zablokirovan|заблокирован|blocker',
	'gesperrt|verboten|interdit|prohibid|proibid|vietat|zabronion',
	'spam|unsolicited|\\bbulk\\b|\\bjunk\\b|phish|virus|malware|suspicious|suspected|abus[ei]|attack|harvest|guess',
	'\\bfilter|firewall|\\brules?\\b|\\bscor(?:e|es|ed)\\b|\\bcontent\\b|contenu|inhalt|conteudo|contenido',
	// Rules about who may write.
	'polic(?:y|ies)|politi(?:que|ca|k)|richtlinie|beleid|polityk',
	'auth|log(?:ged)?[- ]?in\\b|passwor[dt]|credential|certificat|permi(?:t|ss)|privileg|licen[cs]e',
	'\\ballow|\\bprohibit|\\bforbid|\\brestrict|\\bden(?:y|ied|ies)\\b|\\baccess|acceso|acesso|zugang|zugriff|dostep',
	'\\brelay|\\btrust|\\bwelcome\\b|\\bwant\\b|\\bstrangers?\\b|\\bcorrespondents?\\b|\\bonly\\b|\\binside\\b|\\boutside\\b',
	'\\bwhitelist|\\baccepts?\\b|\\baccepted\\b|\\baccepting\\b',
	// Too much, too full, too fast.
	'\\btoo\\b|\\bmany\\b|\\blimit|\\bexceed|\\bexcessive|\\bquota|\\brate\\b|throttl|\\bfrequency|\\bslow|\\bquick',
	'\\bfull\\b|\\bspace\\b|\\bstorage\\b|\\bsize\\b|\\blarge\\b|\\ballowance\\b|voll\\b|pleine?\\b|llen[oa]\\b|chei[oa]\\b',
	'\\bpien[oa]\\b|\\bvol\\b|\\bpeln[ay]\\b|\\bplna\\b|переполнен|quarantin',
	// Not now.
	'tempor|temporair|vorubergehend|\\blater\\b|\\bspater\\b|plus tard|mas tarde|mais tarde|piu tardi|pozniej|позже',
	'\\bagain\\b|\\bretry|\\bresend|\\btomorrow\\b|\\bcurrently\\b|\\bmoment|\\bpresent\\b|\\bat this time\\b|\\bdefer|\\bdelay',
	'time-?d?[- ]?out|\\bmaintenance|\\bprogress|\\bmigrat|\\bbusy\\b|overload|\\bdown\\b',
	'\\bbackend\\b|\\bnot (?:be )?possible\\b|\\bcould not (?:be )?(?:check|ask|reach)|\\bconnect|\\bunable to (?:check|verify)',
	// Our commands and the server's own set-up.
	'protocol|command|\\bsyntax\\b(?<!address syntax)|\\bsequence\\b|argument|pipelin|\\btls\\b|\\bssl\\b|encrypt',
	'\\bloop|\\bhops?\\b|\\brout(?:e|ing)\\b|\\bconfigurat|\\bheaders?\\b|\\battachment|\\bmessages?\\b',
	'\\bmx\\b|\\bexchanger',
);
