import { spawnSync } from 'node:child_process';

// `npm run update -- NAME`: makes again what is made of something else. Read the diff of each before you commit it.

const NODE = 'node --disable-warning=ExperimentalWarning';
const INSTALL = 'node test/install.ts';
const WORKER_TYPES =
	"const f = 'worker-configuration.d.ts'; fs.writeFileSync(f, fs.readFileSync(f, 'utf8').replaceAll('./dist/worker/', './src/'))";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
	/** `docs/openapi.json`, of the code. */
	openapi: ['node test/support/openapi/copy.ts'],
	/** The types of the client, of `docs/openapi.json`. */
	'client-types': [INSTALL, `${NODE} test/support/openapi/client-types.ts`],
	/** `test/golden/verdicts.jsonl`. */
	golden: [`${NODE} test/golden/update.ts`],
	/** The hashes of the bundled lists. */
	supply: ['node tools/supply.ts'],
	/** The bundled lists that age. */
	lists: ['node tools/update-lists.ts'],
	/** The dictionary of names, of @faker-js/faker and `tools/names/world.txt`, and the model of words. */
	trigrams: ['node tools/build-trigrams.ts'],
	/** Icons, the link preview and the pictures of the README. */
	pictures: [INSTALL, 'vitest run --config test/screenshots.config.ts test/pictures.tsx'],
	/** The types of the bindings in wrangler.toml. */
	types: ['wrangler types --include-runtime=false', `node -e "${WORKER_TYPES}"`],
	/** A migration of D1, of `src/storage/schema.ts`. */
	migration: ['npm install --no-save --no-audit drizzle-kit@0.31.11', 'drizzle-kit generate'],
};

const [name = '', ...rest] = process.argv.slice(2);
const commands = COMMANDS[name];
if (commands === undefined || rest.length > 0) {
	console.error(`Usage: npm run update -- ${Object.keys(COMMANDS).join('|')}`);
	process.exit(2);
}
for (const command of commands) {
	const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
