import { isExpired } from '../../core/keys/scopes.ts';
import { numberOf } from '../sql.ts';
import type { AccountSurvey, SecretVersions } from '../../operations/accounts/port.ts';
import type { AccountContext } from './context.ts';
import { listKeys, usageSince } from './keys.ts';

/**
 * The account's requests from a day (`2026-11-21`) on, for an operator who looks for an abuser. Null: the account was
 * never opened.
 */
export function surveyAccount(account: AccountContext, { from }: { from: string }): AccountSurvey | null {
	const { sql, credits } = account;
	if (!credits.exists) return null;
	const days = usageSince(account, from);
	const sum = (of: (usage: (typeof days)[number]['usage']) => number): number =>
		days.reduce((total, { usage }) => total + of(usage), 0);
	const [bounced] = sql.rows(
		"SELECT COUNT(*) AS bounces FROM outcomes WHERE kind = 'hard_bounce' AND at >= ?",
		Date.parse(from),
	);
	return {
		verifications: sum(({ outcomes }) => Object.values(outcomes).reduce((all, each) => all + each, 0)),
		unknown: sum(({ outcomes }) => outcomes.unknown),
		credits: sum((usage) => usage.credits),
		bounces: bounced === undefined ? 0 : numberOf(bounced, 'bounces'),
	};
}

/** The versions of the signing secret without which something of the account would end. Null: it was never opened. */
export function secretVersions(
	{ sql, credits, webhooks }: AccountContext,
	{ now }: { now: number },
): SecretVersions | null {
	if (!credits.exists) return null;
	return {
		keys: listKeys(sql)
			.filter((key) => key.revokedAt === null && !isExpired(key, now))
			.map(({ version }) => version),
		webhooks: webhooks.storage
			.webhooks()
			.flatMap(({ secrets }) => secrets)
			.filter(({ until }) => until === null || until > now)
			.map(({ version }) => version),
	};
}
