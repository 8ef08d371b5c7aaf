export type Method = (...args: never[]) => Promise<unknown>;

/** A port with each of its methods wrapped when it is called: an account's stub has no list of them. */
export function wrapAll<T extends object>(target: T, wrap: (name: string, method: Method) => Method): T {
	return new Proxy(target, {
		get: (inner, name) => {
			const method: unknown = Reflect.get(inner, name);
			if (typeof method !== 'function') return method;
			return wrap(String(name), (...args) => Reflect.apply(method, inner, args) as Promise<unknown>);
		},
	});
}

/** A port with some of its methods replaced. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
	return new Proxy(target, { get: (inner, name) => Reflect.get(name in methods ? methods : inner, name) });
}

/** Wraps the calls of a process that dies before or after its first fatal one. From then on it does nothing. */
export function dying(
	when: 'before' | 'after',
	isFatal: (name: string, args: readonly unknown[], call: number) => boolean,
) {
	let [isDead, calls] = [false, 0];
	return <A extends readonly unknown[], R>(name: string, method: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			const isLast = !isDead && isFatal(name, args, (calls += 1));
			isDead ||= isLast && when === 'before';
			if (isDead) throw new Error('died');
			const answer = await method(...args);
			isDead ||= isLast;
			if (isDead) throw new Error('died');
			return answer;
		};
}
