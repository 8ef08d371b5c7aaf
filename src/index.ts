import { compose } from './compose.ts';
import { createApp } from './http/app.ts';

export { Account } from './durable-objects/account.ts';

const app = createApp(compose);

export default {
	fetch: app.fetch,
	scheduled: (_controller, env) => compose(env).refreshLists(),
} satisfies ExportedHandler<Env>;
