import { parsePacks } from '../../../src/core/payments/packs.ts';
import { landingPlace } from '../../../src/dashboard/pages/landing.tsx';
import { results, view, wrong } from './samples.ts';

// The front page, in every state.

const stranger = { ...view, viewer: null };
const landing: Parameters<typeof landingPlace.draw>[1] = {
	trialCredits: 100,
	resultsTtlMs: 172_800_000,
	samples: [],
	packs: [],
	contactUrl: null,
	email: '',
	answer: null,
};

export const LANDING_PAGES = {
	landing: landingPlace.draw(stranger, landing),
	'landing-prices': landingPlace.draw(stranger, {
		...landing,
		packs: parsePacks('5000=39EUR 25000=149EUR 100000=449EUR'),
	}),
	'landing-tried': landingPlace.draw(stranger, {
		...landing,
		samples: ['ada@inbox.test', 'nobody@inbox.test'],
		email: 'ada@lovelace.example',
		answer: { result: results[0]!, answeredBy: 'aspmx.l.google.com', breakdown: null },
	}),
	'landing-wrong': landingPlace.draw(
		stranger,
		landing,
		wrong('try', { email: 'ada@' }, { email: 'There is nothing after the @.' }),
	),
};
