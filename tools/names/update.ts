// Writes tools/names/world.txt: `npm run update -- names`, then `npm run update -- trigrams`, and read both diffs. The names are
// those of two packages under the MIT licence: @faker-js/faker, which is installed here, and Faker for Python, of the release
// below (`python3 -m pip install Faker==40.54.0`).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allLocales } from '@faker-js/faker';
import { stringsOf } from '../build-trigrams.ts';

const FAKER = '40.54.0';
const WORLD = join(import.meta.dirname, 'world.txt');
const [PACKAGE] = /"version": "[^"]+"/.exec(
	readFileSync(join(import.meta.dirname, '../../node_modules/@faker-js/faker/package.json'), 'utf8'),
) ?? [''];
const FAKER_JS = PACKAGE.split('"').at(-2) ?? '';

interface Names {
	readonly first: ReadonlySet<string>;
	readonly last: ReadonlySet<string>;
}

/** Regions, by the locales of Faker for Python that have their names in Latin letters. */
const OF_PYTHON = {
	Japanese: 'ja_JP',
	Chinese: 'zh_CN zh_TW',
	Indian: 'en_IN hi_IN ta_IN',
	'Pakistani, Maghrebi': 'en_PK fr_DZ',
	'West African': 'ig_NG yo_NG ha_NG tw_GH en_NG',
} as const;

// The lists that the providers have, as attributes: with weights, without, and in pairs.
const DUMP = `
import importlib, json, re, sys
import faker
names = {}
for locale in sys.argv[1:]:
    provider = importlib.import_module('faker.providers.person.' + locale).Provider
    for attribute in dir(provider):
        kind = re.fullmatch('(first|last)_(?:romanized_)?names(?:_male|_female)?', attribute)
        if kind: names.setdefault(locale + ' ' + kind[1], []).extend(getattr(provider, attribute))
print(json.dumps([faker.VERSION, names]))
`;

function namesOfPython(): Readonly<Record<string, Names>> {
	const locales = Object.values(OF_PYTHON).join(' ').split(' ');
	const dumped = execFileSync('python3', ['-c', DUMP, ...locales], { encoding: 'utf8' });
	const [version, names] = JSON.parse(dumped) as [string, Record<string, readonly string[]>];
	if (version !== FAKER) throw new Error(`Faker ${version} is installed, not ${FAKER}`);
	const of = (region: string, kind: string): ReadonlySet<string> =>
		new Set(region.split(' ').flatMap((locale) => (names[`${locale} ${kind}`] ?? []).flatMap(latinParts)));
	return Object.fromEntries(
		Object.entries(OF_PYTHON).map(([region, of_]) => [
			region,
			{ first: of(of_, 'first'), last: of(of_, 'last') },
		]),
	);
}

/** The parts of a compound name in a-z. */
function latinParts(name: string): string[] {
	const folded = name.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('.', '');
	return folded.split(/[\s-]+/).filter(isName);
}

// Longer and shorter ones are no local parts that a person chooses.
function isName(word: string): boolean {
	return /^[a-z]{3,12}$/.test(word);
}

// ELOT 743, as passports write names.
const GREEK: Readonly<Record<string, string>> = Object.fromEntries(
	(
		'ου:ou αυ:av ευ:ev γγ:ng θ:th χ:ch ψ:ps ξ:x α:a β:v γ:g δ:d ε:e ζ:z η:i ι:i κ:k λ:l μ:m ν:n ο:o π:p ρ:r σ:s ς:s τ:t ' +
		'υ:y φ:f ω:o'
	)
		.split(' ')
		.map((pair) => pair.split(':') as [string, string]),
);

function greekInLatin(name: string): string {
	const bare = name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
	return bare.replaceAll(/ου|αυ|ευ|γγ|\p{L}/gu, (letters) => GREEK[letters] ?? letters);
}

/** A surname, and what the women of the family are called. */
function withWomens(name: string): string[] {
	return name.endsWith('os') ? [name, `${name.slice(0, -2)}ou`] : [name];
}

// The Revised Romanization, syllable by syllable: initials, vowels and finals in the order of Unicode (§3.12).
const INITIALS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
// As people with these surnames write them.
const USUAL_KOREAN = 'kim lee park choi jung kang cho yoon chung lim shin kwon ahn yoo moon noh woo koo kwon';

function koreanInLatin(name: string): string {
	return name
		.split('')
		.map((letter) => {
			const syllable = (letter.codePointAt(0) ?? 0) - 0xac00;
			const vowel = Math.floor((syllable % 588) / 28);
			return `${INITIALS[Math.floor(syllable / 588)]}${VOWELS[vowel]}${FINALS[syllable % 28]}`;
		})
		.join('');
}

function namesOfFakerJs(): Readonly<Record<string, Names>> {
	const [el, ko] = [allLocales.el.person, allLocales.ko.person];
	const greek = (names: readonly string[]): string[] => names.map(greekInLatin).filter(isName);
	const korean = (names: readonly string[]): string[] => names.map(koreanInLatin).filter(isName);
	return {
		Greek: {
			first: new Set(greek([...stringsOf(el?.first_name)])),
			last: new Set(greek([...stringsOf(el?.last_name)]).flatMap(withWomens)),
		},
		Korean: {
			first: new Set(korean([...stringsOf(ko?.first_name)])),
			last: new Set([...korean([...stringsOf(ko?.last_name)]), ...USUAL_KOREAN.split(' ')]),
		},
	};
}

const SOURCES: Readonly<Record<string, string>> = {
	Greek: `npm @faker-js/faker ${FAKER_JS} (el) in Latin letters, MIT`,
	Korean: `npm @faker-js/faker ${FAKER_JS} (ko) in Latin letters, MIT, and the usual spellings of some surnames`,
};

/** The file: for each region its source, its first names and its last names. */
function worldOf(regions: Readonly<Record<string, Names>>): string {
	const lines = Object.entries(regions).flatMap(([region, { first, last }]) => {
		const locales = OF_PYTHON[region as keyof typeof OF_PYTHON];
		const source = SOURCES[region] ?? `PyPI Faker ${FAKER} (${locales}), MIT`;
		const line = (kind: string, names: ReadonlySet<string>): string =>
			[kind, ...[...names].toSorted()].join(' ');
		return [`# ${region}: ${source}`, line('first', first), line('last', last)];
	});
	return `# Names in Latin letters that @faker-js/faker lacks or has in another script: "region: first names" and "region: last names".
# npm run update -- names makes this file; npm run update -- trigrams puts it into the dictionary. PyPI Faker: copyright 2012
# Daniele Faraglia.
${lines.join('\n')}
`;
}

writeFileSync(WORLD, worldOf({ ...namesOfPython(), ...namesOfFakerJs() }));
console.log(`Wrote ${WORLD}`);
