// What the scripted model of the end-to-end tests says; a script's name is the name of its model.
import type { Script } from "../support/model-server.ts";

const PLOT = `import matplotlib.pyplot as plt
plt.figure(figsize=(4, 2))
plt.plot([1, 4, 9, 16])
print("drawn")
plt.show()`;

const ATTACK = `Look at ![a pixel](https://evil.example/pixel.png) and [click me](javascript:document.title='pwned').

<img src="https://evil.example/raw.png" onerror="document.title='pwned'"><script>document.title='pwned'</script>
<a href="javascript:document.title='pwned'">raw link</a> <iframe src="https://evil.example/frame"></iframe>

[A good link](https://example.com/), maths $e^{i\\pi} = -1$, and the end of the attack.`;

const INTEGRAL = `from sympy import *
x = symbols("x")
print(integrate(x * exp(x), x))`;

export const SCRIPTS: Record<string, Script> = {
  plot: [
    { text: "I draw it.", calls: [{ name: "execute_python", arguments: { code: PLOT } }] },
    { text: ["Here is the **square** of", " every number."] },
  ],
  // Prints for a minute, unless it is stopped.
  patient: [
    {
      calls: [
        {
          name: "execute_bash",
          arguments: { command: "for n in $(seq 600); do echo tick $n; sleep 0.1; done" },
        },
      ],
    },
    { text: "All ticks are done." },
  ],
  // Takes its time, in words; `slow` of the server takes twenty seconds.
  talkative: [{ text: Array.from({ length: 40 }, (_, n) => `word${n} `), delayMs: 500 }],
  attack: [{ text: ATTACK }],
  // Reads the skill that fits, then does what it says.
  skilled: [
    ({ question, system }) => {
      const name = /^- (\S+) \(\S+\): [^\n]*integrate/m.exec(system)?.[1];
      const fits = name && question.includes("Integrate");
      return fits ? { calls: [{ name: "read_skill", arguments: { name } }] } : { text: "No skill fits." };
    },
    ({ results }) =>
      results[0]?.includes("integrate(x * exp(x), x)")
        ? { calls: [{ name: "execute_python", arguments: { code: INTEGRAL } }] }
        : { text: "The skill says nothing of it." },
    ({ results }) => ({ text: `It is ${results[1]?.trim()}` }),
  ],
  files: [
    { calls: [{ name: "execute_bash", arguments: { command: "cat /workspace/uploads/*.csv" } }] },
    { text: "That is what the file says." },
  ],
};
