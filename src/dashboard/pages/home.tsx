import type { Address } from '../../core/address/parse-address.ts';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { paginate } from '../../core/jobs/pages.ts';
import { ANSWER_KEPT } from '../../core/jobs/retention.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import { finished } from '../../lib/log.ts';
import { findVerification, listVerifications, verifyForOwner } from '../../operations/verify/verify.ts';
import { form, addressText } from '../form.tsx';
import type { Refusal } from '../form.tsx';
import { count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { PageError, suspended, waitOf } from '../view.ts';
import { StatusBadge, Time, Mono, Pages, Table } from '../parts/table.tsx';
import { CreditsNotice, Notice } from '../parts/basic.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Place } from '../place.tsx';
import type { Visit } from '../view.ts';
import { showKey } from './api.tsx';
import { ListsTable, NewList } from './lists.tsx';

const HOME = '/dashboard';
const VERIFY = '/dashboard/verify';
const RUNNING_MAX = 5;
const ANSWERS = 10;
const VERIFICATION_ID = /^ver_[\w-]{1,64}$/;

const verifyForm = form({
	at: 'verify',
	button: 'Verify address',
	layout: 'inline',
	fields: {
		email: addressText(
			'Email address',
			`${inCredits(PRICE.single)} for a definite answer, nothing for an unknown. We never send a mail.`,
		),
	},
	run: verify,
});

async function verify(
	{ c, services, account }: Visit,
	{ email: address }: { readonly email: Address },
): Promise<Response | Refusal> {
	services.requireProber();
	const verifying = verifyForOwner(services, account, { address, formId: c.var.formId });
	// A person who leaves cancels the request: the work and its settlement go on all the same.
	c.executionCtx.waitUntil(finished(verifying));
	const outcome = await verifying;
	switch (outcome.kind) {
		case 'verified':
			return c.redirect(`${VERIFY}/${outcome.id}`, 303);
		case 'insufficient_credits':
			return { errors: { email: 'No credits are available. Add some under Credits' } };
		case 'rate_limited': {
			const retryAfterMs = outcome.window.resetSeconds * 1000;
			const email = `This account has reached its limit. Try again in ${waitOf(c, { retryAfterMs })}`;
			return { errors: { email }, status: 429 };
		}
		// The account is suspended.
		case 'unauthenticated':
			throw suspended();
	}
}

/** Where something is started: an address, a list; and what runs and was answered last. */
export const homePlace = new Place(HOME, {
	nav: 'Home',
	load: async ({ c, services, account, own, page }) => {
		const [{ balance }, low, { jobs: running }, { jobs: lists }, { verifications, total }] =
			await Promise.all([
				own.show(),
				own.creditsLow(),
				own.listJobs({ kind: 'verification', status: 'processing', page: 1, pageSize: RUNNING_MAX }),
				own.listJobs({ kind: 'verification', page: 1, pageSize: 1 }),
				listVerifications(services, account, { page: page - 1, pageSize: ANSWERS }),
			]);
		return {
			balance,
			low,
			running,
			isNew: lists.length === 0,
			answers: verifications,
			pagination: paginate(total, page, ANSWERS),
			email: (c.req.query('email') ?? '').slice(0, 320),
		};
	},
	view: (data, { Page, Form, Live }) => {
		const { balance, low, running, isNew, answers, pagination, email } = data;
		return (
			<Page
				title="Home"
				lead={
					<>
						<strong class="balance">{count(balance.availableCredits)}</strong> credits left.{' '}
						<a href="/dashboard/credits/add">Add credits</a>
					</>
				}
			>
				<CreditsNotice balance={balance} low={low} />
				<ol class="starts stack-wide">
					<li>
						<h2>{isNew && '1. '}Verify an address</h2>
						<Form of="verify" values={{ email }} />
					</li>
					<li>
						<h2>{isNew && '2. '}Verify a list</h2>
						<NewList />
					</li>
					{isNew && answers.length === 0 && (
						<li>
							<h2>3. Call the API</h2>
							<p>
								A test key costs nothing and answers as you choose. You see it once, with a call to copy.{' '}
								<a href="/docs">Quickstart</a>
							</p>
							<Form of="key" />
						</li>
					)}
				</ol>
				{running.length > 0 && <Live of={data} />}
				{answers.length > 0 && (
					<Section title="Last answers" id="history" aside={`Kept for ${ANSWER_KEPT}`}>
						<Table
							caption="Verified addresses"
							rows={answers}
							columns={(column) => [
								column('Address', { width: 184, names: true }, ({ id, answer }) => (
									<a href={`${VERIFY}/${id}`}>
										<Mono text={answer.result.email} />
									</a>
								)),
								column('Status', { width: 132, phone: true }, ({ answer }) => (
									<StatusBadge status={answer.result.status} />
								)),
								column('Cost', { width: 88, class: 'num' }, ({ answer }) =>
									answer.charged === 0 ? 'Nothing' : plural(answer.charged, 'credit'),
								),
								column('When', 112, ({ at }) => <Time at={at} />),
							]}
						/>
						<Pages
							pagination={pagination}
							things="addresses"
							hrefOf={(page) => `${HOME}?page=${page}#history`}
						/>
					</Section>
				)}
			</Page>
		);
	},
	live: {
		isMoving: ({ running }) => running.length > 0,
		says: ({ running }) => (running.length > 0 ? undefined : 'All lists are done'),
		view: ({ running }) => (
			<Section title="In progress" aside={<a href="/dashboard/lists">All lists</a>}>
				<ListsTable of={running} empty="All lists are done." />
			</Section>
		),
	},
	forms: {
		verify: verifyForm,
		key: form({
			at: 'key',
			button: 'Make a test key',
			kind: 'quiet',
			run: async (visit) =>
				showKey(visit, { label: 'First test key', mode: 'test', scope: SCOPES, expiresAt: null }),
		}),
	},
});

/** The whole of one answer. Its form verifies another address. */
export const answerPlace = new Place(`${VERIFY}/:verificationId`, {
	nav: 'Home',
	load: async ({ c, services, account, param }) => {
		const id = param('verificationId');
		const found = VERIFICATION_ID.test(id) ? await findVerification(services, account, id) : null;
		if (found === null)
			throw new PageError(
				404,
				'This answer is no longer here',
				`Answers are kept for ${ANSWER_KEPT}. You can verify the address again.`,
			);
		// Only where the form was sent twice: else the answer is there when its page is.
		if (found.kind === 'under_way') c.header('Refresh', '2');
		return found;
	},
	view: (found, { Page, Form }) => (
		<Page title="Answer">
			{found.kind === 'answered' && <ResultCard {...found.answer} tryAt={VERIFY} />}
			{found.kind === 'under_way' && (
				<p role="status">We are asking the mail server. The answer is here in a few seconds.</p>
			)}
			{found.kind === 'failed' && (
				<Notice kind="failed" title="This verification could not be finished">
					It stopped on our side and says nothing about the address. Nothing was charged, and we release a
					reserved credit within minutes. Verify the address again.
				</Notice>
			)}
			<Section title="Verify another address" id="another">
				<Form of="verify" />
			</Section>
		</Page>
	),
	forms: { verify: verifyForm },
});
