import { inCredits, PRICE } from '../../../core/credits/price.ts';
import type { CreditPack } from '../../../core/payments/packs.ts';
import { plural } from '../../format.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Packs } from '../../parts/figures.tsx';

export interface PricesProps {
	/** What credits cost here; empty: the operator shows no prices. */
	readonly packs: readonly CreditPack[];
	readonly contactUrl: string | null;
	readonly trialCredits: number;
}

const COSTS = [
	['An answer: deliverable, undeliverable or risky', inCredits(PRICE.single)],
	['A catch-all address, decided by its score', inCredits(PRICE.catchall)],
	['Unknown, whatever the reason', 'Nothing'],
	['Duplicates and malformed rows of a list', 'Nothing'],
	['A repeated request with its Idempotency-Key', 'Nothing'],
] as const;

/** What a credit buys, and what credits cost. */
export function Prices({ packs, contactUrl, trialCredits }: PricesProps) {
	return (
		<section class="band" aria-labelledby="prices">
			<h2 id="prices">You pay for answers</h2>
			<p class="lead">No subscription and no minimum. What nobody can know costs nothing.</p>
			<div class="split split-even">
				<table class="plain-table">
					<thead>
						<tr>
							<th scope="col">What happens</th>
							<th scope="col" class="num">
								Costs
							</th>
						</tr>
					</thead>
					<tbody>
						{COSTS.map(([what, cost]) => (
							<tr>
								<th scope="row">{what}</th>
								<td class="num">{cost}</td>
							</tr>
						))}
					</tbody>
				</table>
				<div class="stack">
					{packs.length > 0 ? (
						<Packs packs={packs} />
					) : (
						<p>
							Credits are sold by arrangement here.{' '}
							{contactUrl !== null && <a href={contactUrl}>Tell us how many you need</a>}
						</p>
					)}
					<div class="actions">
						<ButtonLink href="/dashboard/sign-up">
							{trialCredits > 0 ? `Start with ${plural(trialCredits, 'free credit')}` : 'Create account'}
						</ButtonLink>
					</div>
				</div>
			</div>
		</section>
	);
}

/** Figures out of docs/performance.md; test/unit/dashboard/landing.test.tsx looks them up there. */
export const MEASURED = {
	/** The day of the run. */
	day: '2026-11-22',
	runs: 15,
	/** A cold answer about a mailbox that exists, median; and the least that the protocols allow. */
	coldMs: 200,
	floorMs: 170,
	/** Open-source verifiers that were compared, and those that called every catch-all mailbox valid. */
	peers: 6,
	fooled: 5,
	/** How long an address of a list of 50,000 takes, by one of a list of 5,000. */
	largeList: 1.03,
} as const;

/** What was measured, how, and by whom: by us. */
export function Measured() {
	const { runs, coldMs, floorMs, peers, fooled, largeList, day } = MEASURED;
	return (
		<section class="band" aria-labelledby="measured">
			<h2 id="measured">Measured, not claimed</h2>
			<ul class="measured">
				<li>
					<p class="measured-figure">0 of {runs}</p>
					<p>
						mailboxes of a catch-all domain called valid without evidence. {fooled} of the {peers} open-source
						verifiers beside us did so {runs} times out of {runs}.
					</p>
				</li>
				<li>
					<p class="measured-figure">{coldMs} ms</p>
					<p>
						for an answer about a domain we had never asked, where DNS and SMTP allow no less than {floorMs}{' '}
						ms.
					</p>
				</li>
				<li>
					<p class="measured-figure">{largeList} ×</p>
					<p>is what an address takes in a list of 50,000, compared with one in a list of 5,000.</p>
				</li>
			</ul>
			<p class="small quiet">
				Our own benchmark of {day}, medians, on one busy machine with two cores: DNS and mail servers are
				played there, 10 ms and 50 ms away. Out in the world the distance to the mail server decides.
			</p>
		</section>
	);
}
