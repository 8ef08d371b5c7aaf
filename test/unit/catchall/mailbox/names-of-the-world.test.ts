import { describe, expect, test } from 'vitest';
import { nameShape } from '../../../../src/core/catchall/mailbox/shape.ts';

// Ordinary names, chosen before the dictionary was extended. [names, recognised before, at least recognised now].
const REGIONS: Readonly<Record<string, readonly [names: string, before: number, now: number]>> = {
	Japanese: [
		'suzuki sato tanaka yamada watanabe takahashi kobayashi nakamura ito kato yoshida matsumoto inoue kimura hayashi shimizu hiroshi takashi yuki haruto sakura yoko kenji naoki akiko keiko',
		3,
		22,
	],
	Chinese: [
		'wang li zhang liu chen yang zhao huang zhou wu xu sun zhu hu guo lin gao luo xiaoming jianguo weihua meiling zhiwei',
		15,
		18,
	],
	Indian: [
		'kumar singh sharma patel gupta reddy iyer nair menon rao das banerjee mukherjee chatterjee joshi desai mehta priya rahul anjali deepak vikram sunita lakshmi venkatesh srinivas',
		17,
		23,
	],
	Korean: [
		'kim lee park choi jung kang cho yoon jang lim han shin seo kwon hwang jiwoo minjun seoyeon jihoon hyunwoo sujin youngho',
		7,
		18,
	],
	'West African': [
		'okafor adeyemi okonkwo adebayo ogunleye nwosu eze obi balogun mensah boateng asante owusu diallo traore ndiaye sow ba chukwu ngozi chinedu amina kwame kofi ama oluwaseun',
		20,
		26,
	],
	Arabic: [
		'mohammed ahmed ali hassan hussein ibrahim khalid abdullah mahmoud mustafa youssef omar fatima aisha khan rahman saleh alharbi alotaibi haddad khoury nasser mansour karim',
		18,
		19,
	],
	Greek: [
		'papadopoulos papadakis nikolaidis georgiou dimitriou ioannou konstantinou pappas vasileiou antoniou giorgos dimitris maria katerina eleni yannis kostas nikos christos panagiotis',
		4,
		17,
	],
	Turkish: [
		'yilmaz kaya demir celik sahin yildiz ozturk aydin ozdemir arslan dogan kilic mehmet ayse fatma emre murat zeynep burak elif',
		20,
		20,
	],
	Vietnamese: [
		'nguyen tran le pham hoang phan vu vo dang bui do ho ngo duong ly minh anh linh thuy huong tuan dung hieu',
		23,
		23,
	],
};

const isRecognised = (localPart: string): boolean => nameShape(localPart).knownNames > 0;

describe('ordinary names of each region give a reason for a mailbox', () => {
	test.each(Object.entries(REGIONS))('%s', (region, [written, before, now]) => {
		const names = written.split(' ');
		const known = names.filter((name) => isRecognised(`x.${name}`)).length;
		console.log(`${region}: ${known} of ${names.length}, before ${before}`);
		expect(known).toBeGreaterThanOrEqual(now);
	});

	test.each([
		'jsuzuki',
		'ysato',
		'jkumar',
		'cokafor',
		'gpapadopoulos',
		'kpark',
		'ali.khan',
		'jli',
		'xwu',
		'tle',
	])('%s is an initial and a surname, or two names', (localPart) => {
		expect(isRecognised(localPart)).toBe(true);
	});
});

/** A random number generator with a fixed sequence: mulberry32. */
function randomOf(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const CONSONANTS = 'bcdfghjklmnpqrstvwz';
const VOWELS = 'aeiou';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** 10,000 invented strings of 5 to 12 letters. */
function invented(letterAt: (at: number, random: (below: number) => number) => string): string[] {
	const random = randomOf(7);
	return Array.from({ length: 10_000 }, () =>
		Array.from({ length: 5 + random(8) }, (_, at) => letterAt(at, random)).join(''),
	);
}

const pick = (letters: string, at: number): string => letters[at] ?? '';

describe('invented strings are recognised no more often than before the names were added', () => {
	test.each([
		['any letters', invented((_, random) => pick(LETTERS, random(26))), 5],
		[
			'pronounceable ones',
			invented((at, random) => (at % 2 === 0 ? pick(CONSONANTS, random(19)) : pick(VOWELS, random(5)))),
			80,
		],
	])('%s', (kind, strings, before) => {
		const recognised = strings.filter(isRecognised).length;
		console.log(`${kind}: ${recognised} of ${strings.length}, before ${before}`);
		expect(recognised).toBeLessThanOrEqual(before);
	});
});
