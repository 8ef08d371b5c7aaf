import { beforeAll, describe, expect, test } from 'vitest';
import { findGibberish } from '../../../../src/core/catchall/mailbox/gibberish.ts';
import { foldLatin } from '../../../../src/core/catchall/mailbox/fold.ts';
import { findName } from '../../../../src/core/catchall/mailbox/names.ts';
import { collectNames, otherWords, trainTrigrams } from '../../../../tools/build-trigrams.ts';

// How often real names are called gibberish, and noise is not. The model is trained on four fifths of the names and
// judges mailboxes made of the rest, without its dictionary: names that it has never seen.

const SIZE = 20_000;

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function makeRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = Math.trunc(state + 0x6d2b79f5);
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function isHeldOut(name: string): boolean {
	let hash = 2166136261;
	for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
	return (hash >>> 8) % 5 === 0;
}

const isName = (word: string): boolean => findName(word) !== null;

/** @param trigrams those of the names that are known; then the dictionary isn't */
function shares(mailboxes: readonly string[], trigrams?: string): { weak: number; strong: number } {
	const found = mailboxes.map((mailbox) =>
		trigrams === undefined ? findGibberish(mailbox, isName) : findGibberish(mailbox, () => false, trigrams),
	);
	const share = (kind: string): number => found.filter((one) => one === kind).length / found.length;
	return { strong: share('strong'), weak: share('weak') + share('strong') };
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

describe('measured', () => {
	const random = makeRandom(20261121);
	const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(random() * from.length)]!;
	const noise = (alphabet: string): string =>
		Array.from({ length: 8 + Math.floor(random() * 5) }, () => pick(alphabet)).join('');
	const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
	const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
	// A hand that wanders along a row of keys, and at times to another row.
	const mash = (): string => {
		let row = pick(ROWS);
		let key = Math.floor(random() * row.length);
		let typed = '';
		for (let left = 8 + Math.floor(random() * 5); left > 0; left--) {
			typed += row[key] ?? '';
			if (random() < 0.2) row = pick(ROWS);
			key = Math.min(row.length - 1, Math.max(0, key + Math.floor(random() * 5) - 2));
		}
		return typed;
	};
	let unseen: { weak: number; strong: number };
	const caught: Record<string, { weak: number; strong: number }> = {};

	beforeAll(() => {
		const { first, last } = collectNames();
		const known = [...first, ...last].filter((name) => !isHeldOut(name));
		const trigrams = trainTrigrams(new Set([...known, ...otherWords()]));
		const [firsts, lasts] = [first, last].map((names) => [...names].filter(isHeldOut)) as [
			string[],
			string[],
		];
		expect(Math.min(firsts.length, lasts.length)).toBeGreaterThan(2500);
		const people = Array.from({ length: SIZE }, (_, at) => {
			const [f, l] = [pick(firsts), pick(lasts)];
			const patterns = [
				`${f}.${l}`,
				f.charAt(0) + l,
				`${f.charAt(0)}.${l}`,
				f + l,
				`${f}_${l}`,
				f,
				l + f.charAt(0),
			];
			return patterns[at % patterns.length]!;
		});
		unseen = shares(people, trigrams);
		const make = (one: () => string): string[] => Array.from({ length: SIZE }, one);
		caught['letters'] = shares(make(() => noise(LETTERS)));
		caught['letters and digits'] = shares(make(() => noise(`${LETTERS}0123456789`)));
		caught['keyboard mash'] = shares(make(mash));
		if (process.env['PRINT_MEASURED'] !== undefined) {
			console.table(
				Object.fromEntries(
					Object.entries({ 'unseen names': unseen, ...caught }).map(([row, { weak, strong }]) => [
						row,
						{ 'weak or strong': percent(weak), strong: percent(strong) },
					]),
				),
			);
		}
	});

	test('fewer than 1 in 1,000 mailboxes of unseen names are strong, fewer than 1 in 100 are anything', () => {
		expect(unseen.strong).toBeLessThan(0.001);
		expect(unseen.weak).toBeLessThan(0.01);
	});

	// Eight to twelve characters. With digits between them often fewer than eight are letters, hence rarely strong.
	test.each([
		['letters', 0.93, 0.85],
		['letters and digits', 0.7, 0.33],
		['keyboard mash', 0.93, 0.85],
	])('random %s are caught', (kind, weak, strong) => {
		expect(caught[kind]?.weak).toBeGreaterThan(weak);
		expect(caught[kind]?.strong).toBeGreaterThan(strong);
	});
});

describe('names that the sources do not have together are never strong', () => {
	test.each<[string, string]>([
		['Polish', 'grzegorz.brzęczyszczykiewicz krzysztof.szczepański zdzisław.przybylski mścisław.szczerba'],
		['Vietnamese', 'nguyen.thi.phuong quynhanh.nguyen huynhthanhtruc vuongquocbao lyngocquynh trinhkhacthuy'],
		[
			'Welsh',
			'llywelyn.ap.gruffydd gwenllian.llewellyn angharad.gwynedd myfanwy.rhydderch blodwen.ynyr tomos.llwyd',
		],
		[
			'Irish',
			'mairead.nicdhomhnaill caoimhghin.obraonain sadhbh.mccrudden fiachra.tuathalain aodhan.ceallaigh',
		],
		['Dutch', 'schuurman.wijngaarden jeltje.hoekstra sjoerd.dijkstra ruud.kluijtveld gijsbrecht.vanrijn'],
		['Turkish', 'cüneyt.gürçağlar yağmur.öztürkoğlu kıvılcım.gökçe tuğrul.çetinkaya şükrü.büyükaşık'],
		[
			'Hungarian',
			'györgyi.szentgyörgyi szilveszter.nyilvánszky boglárka.szűcs borbala.vizsnyiczai gyozo.hrabovszky',
		],
		['Igbo', 'chukwuemeka.nwankwo ifeanyichukwu.okonkwo nnamdi.azikiwe uzoamaka.mgbemena kelechi.mgbeoji'],
		[
			'Icelandic',
			'þorvaldur.sigurðsson guðmundur.hrafnkelsson aðalbjörg.þorsteinsdóttir snæfríður.jökulsdóttir',
		],
		[
			'Chinese',
			'zhang.xiaoming xuezhen.zhong quanzhong.xiong lvxiaojun qinghua.qiu xiexiaoqing qianzhongshu heqiqi',
		],
		['Arabic', 'abdulrahman.alghamdi khaled.almutairi mutlaq.aldhafeeri ghadeer.alkhulaifi hmoud.alruwaili'],
		[
			'Russian',
			'dmitriy.shcherbakov vyacheslav.zhdanov vsevolod.chmyrev yevgeniy.zhzhenov kseniya.mykhailiuk',
		],
		['Czech', 'zbyněk.vrzal vlastimil.krč ctirad.mrštík bretislav.ptacnik zdenek.hrbacek'],
		['Croatian', 'srđan.crnogorac hrvoje.grgurević božidar.krznarić trpko.crnkovic zvjezdana.brdar'],
		['Lithuanian', 'vytautas.jankauskas rūta.žukauskienė arvydas.šciukauskas mykolas.ciurlionis'],
		['Greek', 'chrysoula.triantafyllou xenophon.tzavaras theodoros.mpampis ntinos.tsiolis'],
		['Nguni', 'nkosinathi.ndlovu mduduzi.gqwetha nqobile.xaba sibongile.mtshali phumzile.gcaba'],
		['Indian', 'krishnamurthy.venkatasubramanian jhunjhunwala.rajvansh hrishikesh.bhattacharjee'],
		['Japanese', "takahashi.shun'ichiro tsukishima.kyoko ryuichi.kyogoku tsuyoshi.shinjo"],
		['Korean', 'hyunkyung.choi seunghyeon.jung yeongcheol.kwak kyungsook.jhang'],
		['Finnish', 'hyytiäinen.jyrki taneli.pyykkönen aku.pyysalo yljas.kyrolainen'],
		['Georgian', 'mzia.tkeshelashvili vakhtang.gvritishvili khvicha.kvaratskhelia nikoloz.tskhadadze'],
		['Armenian', 'mkrtich.mkrtchyan vardan.hovhannisyan mkhitar.hrachyan'],
		['Basque', 'itziar.goikoetxea gotzone.zubizarreta txomin.etxebarria'],
		['Nahuatl', 'cuauhtemoc.nezahualcoyotl citlalli.huitzilopochtli'],
	])('%s', (_, mailboxes) => {
		expect(mailboxes.split(' ').filter((one) => findGibberish(foldLatin(one), isName) === 'strong')).toEqual(
			[],
		);
	});
});

test.each<[string, 'strong' | 'weak' | null]>([
	['xkqzv', null],
	['xkqzvw', 'weak'],
	['xkqzvwp', 'weak'],
	['xkqzvwpt', 'strong'],
	['xkqz.vwpt', 'strong'],
	['jane.xkqzv', null],
	['jane.xkqzvwpt', 'strong'],
	['xkqz7vwpt', 'strong'],
	['jsmith', null],
	['schmidtq', null],
	['annaschmidt', null],
	['вжхцчшщъ', null],
	['xkqzвwpt', null],
	['123456789', null],
	['', null],
])('%s: %s', (folded, expected) => {
	expect(findGibberish(folded, isName)).toBe(expected);
});
