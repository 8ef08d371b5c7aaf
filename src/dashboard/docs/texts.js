import changelog from '../../../CHANGELOG.md';
import account from './guides/account.md';
import catchAll from './guides/catch-all.md';
import catchAllScore from './guides/catch-all-score.md';
import client from './guides/client.md';
import errors from './guides/errors.md';
import feedback from './guides/feedback.md';
import idempotency from './guides/idempotency.md';
import keys from './guides/keys.md';
import limits from './guides/limits.md';
import lists from './guides/lists.md';
import mcp from './guides/mcp.md';
import moving from './guides/moving.md';
import noCode from './guides/no-code.md';
import operators from './guides/operators.md';
import quickstart from './guides/quickstart.md';
import signUp from './guides/sign-up.md';
import statuses from './guides/statuses.md';
import testKeys from './guides/test-keys.md';
import versioning from './guides/versioning.md';
import webhooks from './guides/webhooks.md';
import listGo from './samples/list.go.txt';
import listMjs from './samples/list.mjs.txt';
import listPhp from './samples/list.php.txt';
import listPy from './samples/list.py.txt';
import listSh from './samples/list.sh.txt';

// A rule in wrangler.toml imports these files as text; texts.d.ts declares their types.
export const TEXTS = {
	quickstart,
	signUp,
	keys,
	testKeys,
	account,
	statuses,
	operators,
	lists,
	webhooks,
	catchAll,
	catchAllScore,
	idempotency,
	errors,
	feedback,
	limits,
	client,
	mcp,
	noCode,
	moving,
	changelog,
	versioning,
};
export const SAMPLES = {
	list: { curl: listSh, Node: listMjs, Python: listPy, PHP: listPhp, Go: listGo },
};
