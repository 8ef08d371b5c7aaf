export type Method = (...args: never[]) => Promise<unknown>;

/** A port with each of its methods wrapped when it is called: an account's stub has no list of them. */
export function wrapAll<T extends object>(target: T, wrap: (name: string, method: Method) => Method): T {
	return new Proxy(target, {
		get: (inner, name) => {
			const method: unknown = Reflect.get(inner, name);
			return typeof method === 'function' ? wrap(String(name), method as Method) : method;
		},
	});
}

/** A port with some of its methods replaced. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
	return new Proxy(target, { get: (inner, name) => Reflect.get(name in methods ? methods : inner, name) });
}
