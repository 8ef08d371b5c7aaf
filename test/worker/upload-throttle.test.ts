import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { FORM_ID_OCTETS, TOKEN_FIELD, issueFormToken } from '../../src/core/identity/form-token.ts';
import { THROTTLES, throttleKey } from '../../src/core/identity/throttles.ts';
import type { DashboardEnv } from '../../src/dashboard/context.ts';
import { addLists } from '../../src/dashboard/routes/lists.tsx';
import type { Services } from '../../src/services.ts';
import type { JobStore } from '../../src/operations/jobs/port.ts';
import { FakeUploadBlobs } from '../support/unit/fake-uploads.ts';

const user = {
	id: 'usr_1',
	email: 'ada@inbox.test',
	loginName: 'ada@inbox.test',
	accountId: 'acc_1',
	name: '',
	passwordHash: '',
	createdAt: 0,
};
const session = { id: 'ses_1', tokenHash: 'h', userId: 'usr_1', device: '', createdAt: 0, lastSeenAt: 0 };

/** Sends a file as somebody who has sent so many in the last hour. */
async function sendAfter(sentBefore: number) {
	const uploadBlobs = new FakeUploadBlobs();
	const account: Pick<JobStore, 'listJobs'> = { listJobs: async () => ({ jobs: [], total: 0 }) };
	const key = throttleKey('stage_upload', 'account', user.accountId);
	const services = {
		clock: { now: () => 0 },
		newId: () => 'upl_1',
		secureRandom: (octets: number) => new Uint8Array(octets),
		accounts: () => account,
		attempts: {
			count: async (name: string, { limit }: { limit: number }) => ({
				admitted: name !== key || sentBefore < limit,
				endsAt: 60_000,
			}),
		},
		uploadBlobs,
	} as unknown as Services;
	const app = new Hono<DashboardEnv>();
	app.use('*', async (c, next) => {
		c.set('services', services);
		c.set('signedIn', { user, session, suspendedAt: null });
		c.set('sessionToken', 'token');
		c.set('visitor', null);
		await next();
	});
	addLists(app);
	const form = new FormData();
	form.set(TOKEN_FIELD, issueFormToken('session token', new Uint8Array(FORM_ID_OCTETS)));
	form.set('file', new File(['ada@inbox.test\n'], 'list.csv'));
	const answer = await app.request('/dashboard/lists', { method: 'POST', body: form });
	return { answer, stored: uploadBlobs.uploads.size };
}

test('an account may stage so many files an hour, and no more', async () => {
	const { limit } = THROTTLES.stage_upload.account;
	const last = await sendAfter(limit - 1);
	expect([last.answer.status, last.stored]).toEqual([303, 1]);
	const refused = await sendAfter(limit);
	expect([refused.answer.status, refused.stored]).toEqual([429, 0]);
	expect(refused.answer.headers.get('retry-after')).toBe('60');
	expect(await refused.answer.text()).toContain('Too many attempts. Try again in');
});
