import { inCredits, PRICE } from '../../../core/credits/price.ts';
import type { CreditPack } from '../../../core/payments/packs.ts';
import { count, plural } from '../../format.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { AskForCredits, Packs } from '../../parts/figures.tsx';

export interface PricesProps {
	/** The prices of credits; empty where the operator shows none. */
	readonly packs: readonly CreditPack[];
	readonly contactUrl: string | null;
	readonly trialCredits: number;
}

const COSTS = [
	['Deliverable, undeliverable or risky', inCredits(PRICE.single)],
	['A catch-all address that its score decides', inCredits(PRICE.catchall)],
	['Unknown, whatever the reason', 'Free'],
	['Duplicates and malformed rows of a list', 'Free'],
] as const;

/** The prices of answers and of credits. */
export function Prices({ packs, contactUrl, trialCredits }: PricesProps) {
	return (
		<section class="band" aria-labelledby="prices">
			<h2 id="prices">You pay for answers</h2>
			<p class="lead">
				No subscription, no minimum. You see the price of a list before you start it.
				{trialCredits > 0 &&
					` The first ${plural(trialCredits, 'credit is', 'credits are')} free, no card needed.`}
			</p>
			<div class="split split-even">
				<table>
					<thead>
						<tr>
							<th scope="col">Answer</th>
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
					{packs.length > 0 ? <Packs packs={packs} /> : <AskForCredits contactUrl={contactUrl} />}
					<div class="actions">
						<ButtonLink href="/dashboard/sign-in">
							{trialCredits > 0 ? `Start with ${plural(trialCredits, 'free credit')}` : 'Create account'}
						</ButtonLink>
						<ButtonLink kind="quiet" href="/docs">
							Read the docs
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
	day: '2026-11-24',
	runs: 15,
	/** A cold answer about a mailbox that exists, median; and the least that the protocols allow. */
	coldMs: 192,
	floorMs: 170,
	/** Open-source verifiers that were compared, and those that called every catch-all mailbox valid. */
	peers: 6,
	fooled: 5,
	/** A list whose domains have mail servers of their own. */
	list: { addresses: 50_000, seconds: 32.7 },
	/** Lists of 20,000 with the usual share at large providers, over ten source addresses. */
	usual: { lists: 5, hours: 0.8 },
} as const;

/** The figures of our benchmarks. */
export function Measured() {
	const { runs, coldMs, floorMs, peers, fooled, list, usual, day } = MEASURED;
	return (
		<section class="band" aria-labelledby="measured">
			<h2 id="measured">Measured, not claimed</h2>
			<ul class="measured">
				<li>
					<p class="measured-figure">{list.seconds} s</p>
					<p>
						for a list of {count(list.addresses)} at companies with mail servers of their own. Gmail and
						Outlook admit fewer questions: {usual.lists} lists of 20,000 with the usual share of both take{' '}
						{Math.round(usual.hours * 60)} minutes over ten source addresses, in a simulation.
					</p>
				</li>
				<li>
					<p class="measured-figure">0 of {runs}</p>
					<p>
						catch-all mailboxes called valid without evidence. {fooled} of {peers} open-source verifiers
						called all {runs} valid.
					</p>
				</li>
				<li>
					<p class="measured-figure">{coldMs} ms</p>
					<p>for an address at a domain that we had never asked. DNS and SMTP alone take {floorMs} ms.</p>
				</li>
			</ul>
			<p class="small quiet">
				Our own benchmarks, the latest of {day}, on one machine with two cores and simulated DNS and mail
				servers. In real use, the mail servers and their distance decide.
			</p>
		</section>
	);
}
