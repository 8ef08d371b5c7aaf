import type { CpuProfile } from './cpu-profile.ts';
import { portsOf } from './runtime-url.ts';

// The runtime's inspector, which wrangler lends to one client at a time (Chrome DevTools Protocol, domain Profiler).

const SAMPLE_EVERY_US = 200;

/** Profiles the Worker and its objects, which run below `root` (a pid), while the work goes on. */
export async function profileWhile(root: number, work: () => Promise<void>): Promise<CpuProfile> {
	const inspector = await Inspector.open(await inspectorUrl(root));
	try {
		await inspector.call('Profiler.enable');
		await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
		await inspector.call('Profiler.start');
		await work();
		return ((await inspector.call('Profiler.stop')) as { profile: CpuProfile }).profile;
	} finally {
		inspector.close();
	}
}

async function inspectorUrl(root: number): Promise<string> {
	for (const port of portsOf(root)) {
		try {
			const response = await fetch(`http://127.0.0.1:${port}/json/list`);
			const [first] = await response.json<{ webSocketDebuggerUrl: string }[]>();
			if (first?.webSocketDebuggerUrl.endsWith('/ws') === true) return first.webSocketDebuggerUrl;
		} catch {
			// Not the inspector.
		}
	}
	throw new Error('The inspector of the runtime was not found');
}

class Inspector {
	readonly #socket: WebSocket;
	readonly #waiting = new Map<number, (result: unknown) => void>();
	#calls = 0;

	private constructor(socket: WebSocket) {
		this.#socket = socket;
		socket.addEventListener('message', ({ data }) => {
			const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
			if (id !== undefined) this.#waiting.get(id)?.(result);
		});
	}

	static async open(url: string): Promise<Inspector> {
		// Wrangler lets in whoever says that he comes from this machine. The option is Node's own.
		const options = { headers: { origin: 'http://localhost' } } as unknown as string[];
		const socket = new WebSocket(url, options);
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve);
			socket.addEventListener('error', () => reject(new Error('The inspector takes no connection')));
		});
		return new Inspector(socket);
	}

	call(method: string, params: object = {}): Promise<unknown> {
		this.#calls += 1;
		const id = this.#calls;
		this.#socket.send(JSON.stringify({ id, method, params }));
		return new Promise((resolve) => this.#waiting.set(id, resolve));
	}

	close(): void {
		this.#socket.close();
	}
}
