import { compose, openOutside } from './compose.ts';
import { Account as AccountObject } from './durable-objects/account/account.ts';
import { createApp } from './http/app.ts';
import { withConnections } from './net/invocation-fetch.ts';
import { consumeParts } from './queues/consume-parts.ts';

// Pages and MCP are loaded with the first request for them, so that they do not slow down the API's cold start.
const app = createApp(
	compose,
	async (describeApi) => {
		const { createDashboard } = await import('./dashboard/app.ts');
		return createDashboard(compose, describeApi);
	},
	() => import('./mcp/handler.ts'),
);

export class Account extends AccountObject {
	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env, openOutside(env));
	}
}

// As in wrangler.toml; the other one is nightly.
const MONTHLY = '0 3 1 * *';

export default {
	fetch: (request, env, context) => withConnections(() => app.fetch(request, env, context)),
	queue: (batch, env) =>
		withConnections(() => {
			const services = compose(env);
			return consumeParts(
				(accountId) => services.forAccount(accountId),
				batch,
				batch.queue.endsWith('-dead'),
			);
		}),
	scheduled: ({ cron }, env) =>
		withConnections(async () => {
			const services = compose(env);
			if (cron === MONTHLY) return services.refreshLists();
			try {
				await Promise.all([
					services.removeStaleUploads(),
					services.removeStaleAddresses(),
					services.sweepIdentity(),
					services.removeOrphans(),
					services.settlePurchases(),
				]);
			} finally {
				// Behind them, so that what they remove is no finding.
				await services.auditDaily();
			}
		}),
} satisfies ExportedHandler<Env>;
