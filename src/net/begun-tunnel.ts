import type { Egress } from '../core/egress/egress.ts';
import type { Clock } from '../engine/ports.ts';
import { prepareTunnel } from './socks5-tunnel.ts';
import type { Ready } from './socks5-tunnel.ts';

/** A tunnel through one egress that was begun before it is known where to. Whoever takes it, owns the connection. */
export class BegunTunnel {
	readonly egress: Egress;
	readonly #ready: Promise<Ready | null>;
	/** Undefined: the proxy is still being asked to let us in. */
	#outcome: Ready | null | undefined;
	#isTaken = false;
	readonly #ending = new AbortController();

	constructor(clock: Clock, egress: Egress) {
		this.egress = egress;
		this.#ready = prepareTunnel(clock, egress, this.#ending.signal).then((ready) => {
			ready?.connection.listen();
			return (this.#outcome = ready);
		});
	}

	/** Waits until the proxy has let us in; null: it did not, or somebody else has it. */
	async take(): Promise<Ready | null> {
		if (this.#isTaken) return null;
		this.#isTaken = true;
		return this.#ready;
	}

	/** What has become of it. A proxy that hung up, or says something unasked, is gone. */
	async look(): Promise<'opening' | 'waiting' | 'gone'> {
		if (this.#isTaken || this.#outcome === null) return 'gone';
		if (this.#outcome === undefined) return 'opening';
		const { kind } = await this.#outcome.connection.read(0);
		if (kind === 'timeout') return 'waiting';
		this.end();
		return 'gone';
	}

	/** Closes it, unless it was taken. */
	end(): void {
		if (this.#isTaken) return;
		this.#isTaken = true;
		// At once, though the proxy has not let us in yet: a connection that is being opened counts like an open one.
		this.#ending.abort();
	}
}
