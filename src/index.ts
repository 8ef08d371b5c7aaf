import { compose, openOutside, openSharedLines } from './compose.ts';
import { Account as AccountObject } from './durable-objects/account/account.ts';
import { MailExchangerObject } from './durable-objects/mail-exchanger.ts';
import { createApp } from './http/app.ts';
import { consumeParts } from './queues/consume-parts.ts';

// Loaded with the first request for a page, so that it does not slow down the API's cold start.
const app = createApp(compose, async (describeApi) => {
	const { createDashboard } = await import('./dashboard/app.ts');
	return createDashboard(compose, describeApi);
});

export class Account extends AccountObject {
	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env, openOutside(env));
	}
}

export class MailExchanger extends MailExchangerObject {
	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env, (invented) => openSharedLines(env, invented));
	}
}

// As in wrangler.toml; the other cron is nightly.
const MONTHLY = '0 3 1 * *';

export default {
	fetch: app.fetch,
	queue: (batch, env) => consumeParts(compose(env), batch, batch.queue.endsWith('-dead')),
	scheduled: async ({ cron }, env) => {
		const services = compose(env);
		if (cron === MONTHLY) return services.refreshLists();
		await Promise.all([services.removeStaleUploads(), services.sweepIdentity(), services.removeOrphans()]);
	},
} satisfies ExportedHandler<Env>;
