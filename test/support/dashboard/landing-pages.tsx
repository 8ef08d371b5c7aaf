import { parsePacks } from '../../../src/core/payments/packs.ts';
import { LandingPage } from '../../../src/dashboard/pages/public/landing.tsx';
import type { LandingProps } from '../../../src/dashboard/pages/public/landing.tsx';
import { results, view } from './samples.ts';

// The front page, in every state.

const landing: LandingProps = {
	view: { ...view, viewer: null },
	baseUrl: 'https://api.mailsonar.example',
	trialCredits: 100,
	resultsTtlMs: 172_800_000,
	samples: [],
	packs: [],
	contactUrl: null,
	tried: null,
};

export const LANDING_PAGES = {
	landing: <LandingPage {...landing} />,
	'landing-prices': <LandingPage {...landing} packs={parsePacks('5000=39EUR 25000=149EUR 100000=449EUR')} />,
	'landing-tried': (
		<LandingPage
			{...landing}
			samples={['ada@inbox.test', 'nobody@inbox.test']}
			tried={{
				email: 'ada@lovelace.example',
				error: null,
				answer: { result: results[0]!, answeredBy: 'aspmx.l.google.com', breakdown: null },
			}}
		/>
	),
	'landing-wrong': (
		<LandingPage
			{...landing}
			tried={{ email: 'ada@', error: 'There is nothing after the @.', answer: null }}
		/>
	),
};
