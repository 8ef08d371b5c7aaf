import { DurableObject } from 'cloudflare:workers';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type {
	Conversations,
	ConversationRequest,
	Conversed,
	InventedMemory,
} from '../engine/conversations-port.ts';
import { StoredInvented } from './invented-memory.ts';
import { Sql } from './sql.ts';

/** What the object answers. An error would lose its class on the way. */
export type ExchangerAnswer =
	| { readonly kind: 'conversed'; readonly conversed: Conversed | 'unavailable' }
	| { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };

/**
 * The connections to one mail operator's hosts (a part of the domains, for the largest), and what is remembered of it.
 * Only an object can keep a socket between requests. Nothing is lost when it goes away: whoever waits for a
 * conversation is told so, and holds it by himself.
 */
export class MailExchangerObject extends DurableObject {
	/** A property of the instance, which RPC can't reach. */
	lines: Conversations;

	constructor(
		ctx: DurableObjectState,
		env: Cloudflare.Env,
		openLines: (invented: InventedMemory) => Conversations,
	) {
		super(ctx, env);
		this.lines = openLines(new StoredInvented(new Sql(ctx.storage.sql)));
	}

	/** Holds one conversation. */
	async hold(request: ConversationRequest): Promise<ExchangerAnswer> {
		try {
			return { kind: 'conversed', conversed: await this.lines.hold(request) };
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			return { kind: 'failed', code: error.code, message: error.message };
		}
	}
}
