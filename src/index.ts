import { compose, openSharedLines } from './compose.ts';
import { MailExchangerObject } from './durable-objects/mail-exchanger.ts';
import { createApp } from './http/app.ts';
import { consumeParts } from './queues/consume-parts.ts';

export { Account } from './durable-objects/account.ts';

export class MailExchanger extends MailExchangerObject {
	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env, (randoms) => openSharedLines(env, randoms));
	}
}

// As in wrangler.toml; the other one is daily.
const MONTHLY = '0 3 1 * *';

const app = createApp(compose);

export default {
	fetch: app.fetch,
	queue: (batch, env) => consumeParts(compose(env), batch, batch.queue.endsWith('-dead')),
	scheduled: ({ cron }, env) => {
		const services = compose(env);
		return cron === MONTHLY ? services.refreshLists() : services.removeStaleUploads();
	},
} satisfies ExportedHandler<Env>;
