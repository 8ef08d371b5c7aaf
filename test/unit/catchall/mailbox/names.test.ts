import { expect, test } from 'vitest';
import { findGibberish, foldLatin, isLatin } from '../../../../src/core/catchall/mailbox/letters.ts';
import { findName, nameShape } from '../../../../src/core/catchall/mailbox/names.ts';
import {
	collectNames,
	dictionaryNames,
	otherWords,
	trainTrigrams,
} from '../../../../tools/build-trigrams.ts';
import { randomFrom } from '../../../support/random.ts';

// How often names are recognised, how often they are called gibberish, and how often noise is not.

const isName = (word: string): boolean => nameShape(word).knownNames > 0;

// Ordinary names, chosen before the dictionary was extended, and how many of them it knows at least.
const KNOWN = `
Japanese 22: suzuki sato tanaka yamada watanabe takahashi kobayashi nakamura ito kato yoshida matsumoto inoue kimura hayashi shimizu hiroshi takashi yuki haruto sakura yoko kenji naoki akiko keiko
Chinese 18: wang li zhang liu chen yang zhao huang zhou wu xu sun zhu hu guo lin gao luo xiaoming jianguo weihua meiling zhiwei
Indian 23: kumar singh sharma patel gupta reddy iyer nair menon rao das banerjee mukherjee chatterjee joshi desai mehta priya rahul anjali deepak vikram sunita lakshmi venkatesh srinivas
Korean 18: kim lee park choi jung kang cho yoon jang lim han shin seo kwon hwang jiwoo minjun seoyeon jihoon hyunwoo sujin youngho
West African 26: okafor adeyemi okonkwo adebayo ogunleye nwosu eze obi balogun mensah boateng asante owusu diallo traore ndiaye sow ba chukwu ngozi chinedu amina kwame kofi ama oluwaseun
Arabic 19: mohammed ahmed ali hassan hussein ibrahim khalid abdullah mahmoud mustafa youssef omar fatima aisha khan rahman saleh alharbi alotaibi haddad khoury nasser mansour karim
Greek 17: papadopoulos papadakis nikolaidis georgiou dimitriou ioannou konstantinou pappas vasileiou antoniou giorgos dimitris maria katerina eleni yannis kostas nikos christos panagiotis
Turkish 20: yilmaz kaya demir celik sahin yildiz ozturk aydin ozdemir arslan dogan kilic mehmet ayse fatma emre murat zeynep burak elif
Vietnamese 23: nguyen tran le pham hoang phan vu vo dang bui do ho ngo duong ly minh anh linh thuy huong tuan dung hieu
initials and surnames 10: jsuzuki ysato jkumar cokafor gpapadopoulos kpark ali.khan jli xwu tle
`;

test.each(
	KNOWN.trim()
		.split('\n')
		.map((line) => line.split(/ (\d+): /) as [string, string, string]),
)('%s names are known: %s at least', (_, least, names) => {
	const known = names.split(' ').filter((name) => isName(name) || isName(`x.${name}`));
	expect(known.length).toBeGreaterThanOrEqual(Number(least));
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const random = randomFrom(20_261_121);
const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(random() * from.length)]!;
const times = <T>(count: number, make: (at: number) => T): T[] =>
	Array.from({ length: count }, (_, at) => make(at));
const noise = (alphabet: string): string =>
	times(8 + Math.floor(random() * 5), () => pick(alphabet)).join('');

test.each<[string, number, (at: number) => string]>([
	['any letters', 5, () => pick(LETTERS)],
	['pronounceable ones', 80, (at) => pick(at % 2 === 0 ? 'bcdfghjklmnpqrstvwz' : 'aeiou')],
])('of 10,000 invented strings of %s %d at most are taken for names', (_, most, letterAt) => {
	const strings = times(10_000, () => times(5 + Math.floor(random() * 8), letterAt).join(''));
	expect(strings.filter(isName).length).toBeLessThanOrEqual(most);
});

const SIZE = 20_000;

/** The shares of the mailboxes that are strong, or anything. */
function shares(mailboxes: readonly string[], trigrams?: string): readonly [strong: number, any: number] {
	const found = mailboxes.map((mailbox) =>
		trigrams === undefined ? findGibberish(mailbox, isName) : findGibberish(mailbox, () => false, trigrams),
	);
	const share = (those: typeof found): number => those.length / found.length;
	return [share(found.filter((one) => one === 'strong')), share(found.filter((one) => one !== null))];
}

// The model is trained on four fifths of the names, and judges mailboxes of the rest without its dictionary.
test('fewer than 1 in 1,000 mailboxes of unseen names are strong, fewer than 1 in 100 are anything', () => {
	const { first, last } = collectNames();
	const heldOut = new Set([...first, ...last].filter(() => random() < 0.2));
	const known = [...first, ...last].filter((name) => !heldOut.has(name));
	const trigrams = trainTrigrams(new Set([...known, ...otherWords()]));
	const [firsts, lasts] = [first, last].map((names) => [...names].filter((name) => heldOut.has(name)));
	const people = times(SIZE, (at) => {
		const [f, l] = [pick(firsts!), pick(lasts!)];
		const i = f.charAt(0);
		return [`${f}.${l}`, i + l, `${i}.${l}`, f + l, `${f}_${l}`, f, l + i][at % 7]!;
	});
	const [strong, any] = shares(people, trigrams);
	expect(strong).toBeLessThan(0.001);
	expect(any).toBeLessThan(0.01);
});

// A hand that wanders along a row of keys, and at times to another row.
function mash(): string {
	let row = pick(['qwertyuiop', 'asdfghjkl', 'zxcvbnm']);
	let key = Math.floor(random() * row.length);
	return times(8 + Math.floor(random() * 5), () => {
		if (random() < 0.2) row = pick(['qwertyuiop', 'asdfghjkl', 'zxcvbnm']);
		key = Math.min(row.length - 1, Math.max(0, key + Math.floor(random() * 5) - 2));
		return row[key];
	}).join('');
}

// Eight to twelve characters. With digits between them often fewer than eight are letters, hence rarely strong.
test.each<[string, () => string, number, number]>([
	['letters', () => noise(LETTERS), 0.85, 0.93],
	['letters and digits', () => noise(`${LETTERS}0123456789`), 0.33, 0.7],
	['keyboard mash', mash, 0.85, 0.93],
])('random %s are caught', (_, make, leastStrong, least) => {
	const [strong, any] = shares(times(SIZE, make));
	expect(strong).toBeGreaterThan(leastStrong);
	expect(any).toBeGreaterThan(least);
});

// Names that the sources do not have together.
const FAR = `
grzegorz.brzęczyszczykiewicz krzysztof.szczepański zdzisław.przybylski mścisław.szczerba
nguyen.thi.phuong quynhanh.nguyen huynhthanhtruc vuongquocbao lyngocquynh trinhkhacthuy
llywelyn.ap.gruffydd gwenllian.llewellyn angharad.gwynedd myfanwy.rhydderch blodwen.ynyr tomos.llwyd
mairead.nicdhomhnaill caoimhghin.obraonain sadhbh.mccrudden fiachra.tuathalain aodhan.ceallaigh
schuurman.wijngaarden jeltje.hoekstra sjoerd.dijkstra ruud.kluijtveld gijsbrecht.vanrijn
cüneyt.gürçağlar yağmur.öztürkoğlu kıvılcım.gökçe tuğrul.çetinkaya şükrü.büyükaşık
györgyi.szentgyörgyi szilveszter.nyilvánszky boglárka.szűcs borbala.vizsnyiczai gyozo.hrabovszky
chukwuemeka.nwankwo ifeanyichukwu.okonkwo nnamdi.azikiwe uzoamaka.mgbemena kelechi.mgbeoji
þorvaldur.sigurðsson guðmundur.hrafnkelsson aðalbjörg.þorsteinsdóttir snæfríður.jökulsdóttir
zhang.xiaoming xuezhen.zhong quanzhong.xiong lvxiaojun qinghua.qiu xiexiaoqing qianzhongshu heqiqi
abdulrahman.alghamdi khaled.almutairi mutlaq.aldhafeeri ghadeer.alkhulaifi hmoud.alruwaili
dmitriy.shcherbakov vyacheslav.zhdanov vsevolod.chmyrev yevgeniy.zhzhenov kseniya.mykhailiuk
zbyněk.vrzal vlastimil.krč ctirad.mrštík bretislav.ptacnik zdenek.hrbacek
srđan.crnogorac hrvoje.grgurević božidar.krznarić trpko.crnkovic zvjezdana.brdar
vytautas.jankauskas rūta.žukauskienė arvydas.šciukauskas mykolas.ciurlionis
chrysoula.triantafyllou xenophon.tzavaras theodoros.mpampis ntinos.tsiolis
nkosinathi.ndlovu mduduzi.gqwetha nqobile.xaba sibongile.mtshali phumzile.gcaba
krishnamurthy.venkatasubramanian jhunjhunwala.rajvansh hrishikesh.bhattacharjee
takahashi.shun'ichiro tsukishima.kyoko ryuichi.kyogoku tsuyoshi.shinjo
hyunkyung.choi seunghyeon.jung yeongcheol.kwak kyungsook.jhang
hyytiäinen.jyrki taneli.pyykkönen aku.pyysalo yljas.kyrolainen
mzia.tkeshelashvili vakhtang.gvritishvili khvicha.kvaratskhelia nikoloz.tskhadadze
mkrtich.mkrtchyan vardan.hovhannisyan mkhitar.hrachyan
itziar.goikoetxea gotzone.zubizarreta txomin.etxebarria
cuauhtemoc.nezahualcoyotl citlalli.huitzilopochtli
`;

test('names of twenty-five regions that no source has together are never strong', () => {
	const strong = FAR.trim()
		.split(/\s+/)
		.filter((one) => findGibberish(foldLatin(one), isName) === 'strong');
	expect(strong).toEqual([]);
});

test.each([
	['Łukasz.Żółć', 'lukasz.zolc', true],
	["O'Brien", 'obrien', true],
	['Þórður_Æsir', 'thordur_aesir', true],
	['İSTANBUL.ığdır', 'istanbul.igdir', true],
	['Groß-ŒUVRE7', 'gross-oeuvre7', true],
	['Nguyễn', 'nguyen', true],
	['ｆｕｌｌ', 'full', true],
	['Иван', 'иван', false],
	['janе', 'janе', false],
])('%s folds to %s, in letters a-z alone: %s', (text, folded, latin) => {
	expect([foldLatin(text), isLatin(folded)]).toEqual([folded, latin]);
});

test('the bundled dictionary knows every name of its source up to twelve letters, and which kind it is', () => {
	const { first, last } = dictionaryNames();
	for (const name of new Set([...first, ...last])) {
		const kind = first.has(name) ? (last.has(name) ? 'both' : 'first') : 'last';
		expect(findName(name), name).toBe(name.length > 12 ? null : kind);
	}
	for (const word of ['', 'a', 'xkqzv', 'peterx', '__proto__', 'constructor', 'Peter', '8', 'петр'])
		expect(findName(word), word).toBeNull();
});

// What is known of each shape: mailbox.test.ts. An unknown name is written in a way of its own, too.
test.each([
	['unheardof.nobodyelse', 'first.last', 0],
	['peter-paul.unheardof', 'first.last', 1],
	['unheardof_nobodyelse', 'first_last', 0],
	['p.unheardof', 'f.last', 0],
	['unheardof.p', 'first.l', 0],
	['peterschmidt', 'firstlast', 2],
	['unheardof', 'other', 0],
	['p.m.schmidt', 'other', 1],
	['peter-schmidt', 'other', 2],
	['peter..schmidt', 'other', 0],
	['peter.schmidt-2024', 'first.last', 2],
])('%s is written as %s, with %i known names', (localPart, pattern, knownNames) => {
	expect(nameShape(localPart)).toEqual({ pattern, knownNames });
});
