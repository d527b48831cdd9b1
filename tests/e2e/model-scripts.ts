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
  files: [
    { calls: [{ name: "execute_bash", arguments: { command: "cat /workspace/uploads/*.csv" } }] },
    { text: "That is what the file says." },
  ],
};
