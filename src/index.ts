import { compose } from './compose.ts';
import { createApp } from './http/app.ts';
import { consumeParts } from './queues/consume-parts.ts';

export { Account } from './durable-objects/account.ts';

const app = createApp(compose);

export default {
	fetch: app.fetch,
	queue: (batch, env) => consumeParts(compose(env), batch, batch.queue.endsWith('-dead')),
	scheduled: (_controller, env) => compose(env).refreshLists(),
} satisfies ExportedHandler<Env>;
