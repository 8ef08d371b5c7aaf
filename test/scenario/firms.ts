import type { Scene } from '../sandbox/scenes/scene.ts';

/** Firms with a mail server of their own each, and one mailbox at each. */
export function makeFirms(count: number): {
	readonly scenes: readonly Scene[];
	readonly emails: readonly string[];
} {
	const domains = Array.from({ length: count }, (_, n) => `firm-${String(n).padStart(3, '0')}.test`);
	return {
		scenes: domains.map((domain) => ({
			domain,
			does: 'A firm with a mail server of its own.',
			mail: 'shops',
			samples: [],
		})),
		emails: domains.map((domain) => `ada.adams@${domain}`),
	};
}
