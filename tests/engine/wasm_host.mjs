// Plays random games of a module in Node: node wasm_host.mjs JOB, where JOB is a file with the JSON that
// `tests/engine/node.py` writes. Prints the CPU seconds of the last of several rounds; rows go to a file.
import { readFileSync, writeFileSync } from "node:fs";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const PAGE = 65536;
const memory = new WebAssembly.Memory({ initial: 256 });
const table = new WebAssembly.Table({ initial: 64, element: "anyfunc" });
let end = PAGE;

function take(size) {
  const at = Math.ceil(end / 16) * 16;
  end = at + size;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return at;
}

// a table takes functions of WebAssembly only: this module passes calls on to JavaScript
const allocator = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(job.allocator)), {
  env: { take: (count, size) => BigInt(take(Number(count * size))), give_back: () => 0n },
});
table.set(1, allocator.exports.take);
table.set(2, allocator.exports.give_back);

const i32 = (value) => new WebAssembly.Global({ value: "i32" }, value);
const started = process.cpuUsage();
const module = new WebAssembly.Module(readFileSync(job.module));
const compiled = process.cpuUsage(started);
const instance = new WebAssembly.Instance(module, {
  env: {
    memory,
    __indirect_function_table: table,
    __memory_base: i32(take(job.data)),
    __table_base: i32(3),
    __address_base: new WebAssembly.Global({ value: "i64" }, 0n),
  },
});

const state = take(job.state);
const workspace = readFileSync(job.workspace);
const work = take(workspace.length);
const rows = take(8 * job.row_words * job.count);
new Uint8Array(memory.buffer).set(workspace, work);
const head = new BigInt64Array(memory.buffer, work, 3);
head.set([BigInt(work), 1n, 2n]);

let used = 0;
for (let round = 0; round < job.rounds; round++) {
  const before = process.cpuUsage();
  instance.exports.random_games(state, work, BigInt(job.seed), 0n, BigInt(job.count), rows);
  used = process.cpuUsage(before).user / 1e6;
}
writeFileSync(job.rows, new Uint8Array(memory.buffer, rows, 8 * job.row_words * job.count));
console.log(JSON.stringify({ seconds: used, compile: compiled.user / 1e6 }));
