import { compose } from './compose.ts';
import { createApp } from './http/app.ts';
import { consumeParts } from './queues/consume-parts.ts';

export { Account } from './durable-objects/account.ts';

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
