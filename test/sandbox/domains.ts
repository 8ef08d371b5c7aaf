import type { Expectation } from './expectation.ts';
import { promise } from './expectation.ts';
import type { Scene } from './scenes/scene.ts';
import { SCENES } from './scenes/scenes.ts';
import { SHOP_DOMAINS } from './shops.ts';

/** One line of the table that people and tests read: verify `address`, expect `expect`. */
export interface SandboxRow {
	readonly domain: string;
	readonly address: string;
	readonly does: string;
	readonly expect: Expectation;
	/** Takes more than about three seconds. */
	readonly slow?: true;
}

// Three servers for sixty shops, as a hoster has them.
/** The generated domains for bulk runs. */
export const SHOP_SCENES: readonly Scene[] = SHOP_DOMAINS.map((domain, i) => ({
	domain,
	does: 'One of sixty shops with 902 mailboxes each.',
	mail: [{ preference: 10, host: `mx${(i % 3) + 1}.shop-hosting.test`, plays: 'shops' }],
	samples: [{ address: `ada.adams@${domain}`, expect: promise('deliverable accepted_email no') }],
}));

/** The table. The shops are not in it: see `shopAddresses`. */
export const SANDBOX_DOMAINS: readonly SandboxRow[] = SCENES.flatMap(({ domain, does, samples }) =>
	samples.map((sample) => ({ domain, does, ...sample })),
);
