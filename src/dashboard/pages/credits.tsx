import * as z from 'zod';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { LedgerEntry, LedgerKind, LedgerPlace } from '../../core/credits/ledger.ts';
import { INITIAL_GRANT_ID } from '../../core/credits/price.ts';
import { firstDayOf, usageByDay } from '../../core/credits/usage.ts';
import { isJobNoun, JOB_TITLES } from '../../core/jobs/kinds.ts';
import { readPurchaseLine } from '../../core/payments/purchase.ts';
import { CREDITS_LOW_MAX } from '../../core/webhooks/events.ts';
import { downloadLedger } from '../../operations/accounts/accounts.ts';
import { DOMAINS_ID_PREFIX } from '../../operations/verify/port.ts';
import { PartsBar, UsageSection } from '../parts/charts.tsx';
import { form, text, tick } from '../form.tsx';
import { change, count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { Tag, Time, Cut, PageLink, PagesFrame, Table } from '../parts/table.tsx';
import { ButtonLink, CreditsNotice } from '../parts/basic.tsx';
import { Place } from '../place.tsx';

const CREDITS = '/dashboard/credits';
const PAGE_SIZE = 50;
const DAYS = 30;

/** The balance, the use by day and the ledger. */
export const creditsPlace = new Place(CREDITS, {
	nav: 'Credits',
	files: {
		/** The whole ledger. */
		'.csv': ({ c, own }) =>
			c.body(downloadLedger(own), 200, {
				'Content-Type': 'text/csv; charset=utf-8',
				'Content-Disposition': 'attachment; filename="credits.csv"',
			}),
	},
	load: async ({ c, services, own }) => {
		const before = readPlace(c.req.query('before'));
		const now = services.clock.now();
		const [{ balance, entries: lines, older }, usage, low] = await Promise.all([
			own.listLedger({ before, pageSize: PAGE_SIZE }),
			own.usageSince(firstDayOf(DAYS, now)),
			own.creditsLow(),
		]);
		const days = usageByDay(usage, DAYS, now);
		const retentionDays = services.config.LEDGER_RETENTION_DAYS;
		return { balance, days, low, lines, older, isNewest: before === null, retentionDays };
	},
	view: (data, { Page, Form, Live }) => (
		<Page
			title="Credits"
			lead="Definite answers cost credits. Unknown answers are refunded."
			action={
				<ButtonLink href={`${CREDITS}/add`} icon="plus">
					Add credits
				</ButtonLink>
			}
		>
			<Live of={data} />
			<Section title="Low balance">
				<Form of="low" values={{ below: data.low.below, mail: data.low.below === null || data.low.mails }} />
				<p class="small quiet">
					Webhooks with the event <code>credits.low</code> get it too.{' '}
					<a href="/dashboard/api#webhooks">Webhooks</a>
				</p>
			</Section>
		</Page>
	),
	live: {
		isMoving: ({ balance, isNewest }) => isNewest && balance.reservedCredits > 0,
		says: ({ balance }) => (balance.reservedCredits > 0 ? undefined : 'No credits are reserved any more'),
		view: ({ balance, days, low, lines, older, isNewest, retentionDays }) => (
			<>
				<section class="stack" aria-label="Balance">
					<CreditsNotice balance={balance} low={low} />
					<Sum balance={balance} />
				</section>
				<UsageSection title="Verifications by day" days={days} />
				<Section
					title="Ledger"
					aside={
						<ButtonLink kind="quiet" size="small" href={`${CREDITS}.csv`} icon="download">
							Download CSV
						</ButtonLink>
					}
				>
					<Table
						caption="Ledger, newest first"
						rows={lines}
						columns={(column) => [
							column('When', 96, ({ at }) => <Time at={at} />),
							column('What', { width: 232, names: true, phone: true }, (line) => <What line={line} />),
							column('Key', 128, ({ keyLabel, keyId }) =>
								keyLabel === null ? (
									<span class="quiet">{keyId === null ? '–' : 'Dashboard'}</span>
								) : (
									<Cut text={keyLabel} />
								),
							),
							column('Refunded', { width: 76, class: 'num' }, ({ refunded }) =>
								refunded === 0 ? '' : count(refunded),
							),
							column('Change', { width: 84, phone: true, class: 'num' }, (line) => change(line.change)),
						]}
						empty={['No lines yet', 'Purchases, verifications and lists are recorded here, one line each.']}
					/>
					<PagesFrame says={`Lines are kept for ${plural(retentionDays, 'day')}`}>
						{!isNewest && <PageLink href={CREDITS}>Newest lines</PageLink>}
						{older !== null && <PageLink href={olderHref(older)}>Older lines</PageLink>}
					</PagesFrame>
				</Section>
			</>
		),
	},
	forms: {
		low: form({
			button: 'Save',
			kind: 'quiet',
			fields: {
				below: text('Tell me when the balance falls below', {
					schema: z
						.string()
						.trim()
						.refine(
							(typed) => typed === '' || (/^[1-9]\d{0,9}$/.test(typed) && Number(typed) <= CREDITS_LOW_MAX),
							`Enter a whole number from 1 to ${CREDITS_LOW_MAX}, or nothing`,
						)
						.transform((typed) => (typed === '' ? null : Number(typed))),
					hint: 'In credits; empty turns this off. We tell you once, and again only after the balance has been above it.',
					maxlength: 10,
				}),
				mail: tick('By mail'),
			},
			run: async ({ own }, { below, mail }) => own.setCreditsLow({ below, mails: mail }),
			to: `${CREDITS}#low-balance`,
			says: 'The threshold is saved',
		}),
	},
});

/** `?before=` of the ledger, as `olderHref` wrote it. Anything else is the newest page. */
function readPlace(query = ''): LedgerPlace | null {
	const [, at, id] = /^(\d{1,15})\.(.{1,200})$/.exec(query) ?? [];
	return at === undefined || id === undefined ? null : { at: Number(at), id };
}

function olderHref({ at, id }: LedgerPlace): string {
	return `${CREDITS}?before=${encodeURIComponent(`${at}.${id}`)}`;
}

/** Everything received, as one bar of what is used, reserved and left, so that people can check the sum. */
function Sum({ balance }: { readonly balance: BalanceView }) {
	const { totalPurchased, totalConsumed, totalRefunded, availableCredits, reservedCredits } = balance;
	return (
		<>
			<p>
				<strong class="figure">{count(availableCredits)}</strong> credits available
			</p>
			{totalPurchased > 0 && (
				<PartsBar
					label="Credits received"
					total={totalPurchased}
					parts={[
						{ name: 'Used', tone: 'unknown', value: totalConsumed },
						{ name: 'Reserved', tone: 'risky', value: reservedCredits },
						{ name: 'Left', tone: 'deliverable', value: availableCredits },
					]}
				/>
			)}
			<p class="quiet">
				{count(totalPurchased)} received = {count(totalConsumed)} used + {count(reservedCredits)} reserved +{' '}
				{count(availableCredits)} left.
				{totalRefunded > 0 && ` ${count(totalRefunded)} refunded because the servers would not say.`}
			</p>
		</>
	);
}

const KINDS = {
	grant: 'Credits granted',
	adjustment: 'Credits taken back',
	verification: 'Verification',
	...JOB_TITLES,
} as const satisfies Record<LedgerKind, string>;

function What({ line }: { readonly line: LedgerEntry }) {
	const { kind, id, name, credits, reserved, released } = line;
	const purchase = readPurchaseLine(id);
	if (purchase !== null) {
		const bought = plural(Math.abs(credits), 'credit');
		return (
			<a href={`${CREDITS}/purchases/${purchase.purchaseId}`}>
				{purchase.what === 'bought' ? `Bought ${bought}` : `Refund of ${bought}`}
			</a>
		);
	}
	const words = name === null ? wordsOf(line) : `${KINDS[kind]}: ${name}`;
	return (
		<>
			{isJobNoun(kind) ? <a href={`/dashboard/jobs/${id}`}>{words}</a> : words}
			{reserved > 0 && (
				<>
					{' '}
					<Tag tone="accent">{count(reserved)} still reserved</Tag>
				</>
			)}
			{released > 0 && (
				<span class="small quiet block">{count(released)} released, because the work was not done</span>
			)}
		</>
	);
}

function wordsOf({ kind, id }: LedgerEntry): string {
	if (id.startsWith(`${DOMAINS_ID_PREFIX}_`)) return 'Domain lookup';
	return kind === 'grant' && id === INITIAL_GRANT_ID ? 'Starting credits' : KINDS[kind];
}
