import { benchHttp } from './http.ts';
const out = await benchHttp({ quick: true, say: console.error });
console.log(out);
