import { parseArgs } from 'node:util';
import type { Evidence } from '../src/core/verification/evidence.ts';
import { visible } from '../src/lib/text.ts';
import { jsonLine, linesOf } from './for-people.ts';
import { OperatorError, callOperator, serviceAt } from './operator-client.ts';
import { startTemporaryService } from './temporary-service.ts';

// `npm run explain -- someone@domain`: prints the whole conversation with a mail server, each decision and its rule.

const USAGE = `Usage: npm run explain -- ADDRESS [--url URL] [--json]

Without --url a service of its own with the sandbox mail world answers. With it, the running service at URL does
(token from OPERATOR_TOKEN or .dev.vars). No credit is charged.`;

interface Explanation {
	readonly result: object;
	readonly evidence: readonly Evidence[];
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { url: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const [address] = positionals;
if (address === undefined) {
	console.error(USAGE);
	process.exit(2);
}
const own = values.url === undefined ? await startTemporaryService() : null;
try {
	const service = own ?? serviceAt(values.url ?? '');
	const asked = { email: address };
	const { result, evidence } = await callOperator<Explanation>(service, 'POST', '/explain', asked);
	console.log(
		values.json
			? jsonLine({ result, evidence })
			: [...linesOf(evidence), '', ...JSON.stringify(result, null, 2).split('\n')].map(visible).join('\n'),
	);
} catch (error) {
	if (!(error instanceof OperatorError)) throw error;
	console.error(visible(error.message));
	process.exitCode = 1;
} finally {
	await own?.remove();
}
