import type { Child } from 'hono/jsx';
import { count, exact, ofAddresses, relative } from '../format.ts';
import { share } from '../../lib/share.ts';
import type { DayUsage } from '../../core/credits/usage.ts';
import { formatMoney, pricePerThousand } from '../../core/payments/packs.ts';
import type { CreditPack } from '../../core/payments/packs.ts';

// Figures and times with their labels.

/** Facts about one thing, with their names. A fact without a value is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, Child>> }) {
	return (
		<dl class="facts">
			{Object.entries(of).map(
				([name, value]) =>
					value !== null &&
					value !== false && (
						<>
							<dt>{name}</dt>
							<dd>{value}</dd>
						</>
					),
			)}
		</dl>
	);
}

/** How many addresses are done, as text and as a bar. */
export function Progress(props: { readonly done: number; readonly total: number; readonly label: string }) {
	const { done, total } = props;
	return (
		<div class="stack-small">
			<progress class="progress" value={done} max={Math.max(1, total)} aria-label={props.label} />
			<p class="spread quiet">
				<span>{ofAddresses(done, total)}</span>
				<span>{total === 0 ? '100%' : share(done, total)}</span>
			</p>
		</div>
	);
}

/** A relative time, with the exact one as its tooltip. */
export function Time({ at, now }: { readonly at: number; readonly now: number }) {
	return (
		<time datetime={new Date(at).toISOString()} title={exact(at)} class="nowrap">
			{relative(at, now)}
		</time>
	);
}

/** Whether anything was verified on these days. */
export function hasOutcomes(days: readonly DayUsage[]): boolean {
	return days.some(({ outcomes }) => Object.values(outcomes).some((value) => value > 0));
}

/** The packs of credits and their prices, with a button for customers. */
export function Packs(props: {
	readonly packs: readonly CreditPack[];
	readonly actionOf?: (pack: CreditPack) => Child;
}) {
	return (
		<ul class="packs">
			{props.packs.map((pack) => (
				<li>
					<p>
						<strong>{count(pack.credits)}</strong> {pack.credits === 1 ? 'credit' : 'credits'}
					</p>
					<p class="pack-price">{formatMoney(pack.price)}</p>
					<p class="small quiet">{pricePerThousand(pack)} per 1,000</p>
					{props.actionOf?.(pack)}
				</li>
			))}
		</ul>
	);
}

/** The contact for credits, where none can be bought on the spot. */
export function AskForCredits({ contactUrl }: { readonly contactUrl: string | null }) {
	if (contactUrl === null) return <p>Ask the operator of this service for credits.</p>;
	const address = /^mailto:([^?]+)/.exec(contactUrl)?.[1];
	return (
		<p>
			{address === undefined ? (
				<a href={contactUrl}>Contact us</a>
			) : (
				<>
					Write to <a href={contactUrl}>{address}</a>
				</>
			)}
			; we add credits the same day.
		</p>
	);
}
