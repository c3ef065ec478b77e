import type { Language } from './recipient-languages.ts';

/** Each needs a program that may not be installed. */
export const OTHER_LANGUAGES: readonly Language[] = [
  {
    file: 'verify.py',
    program: [
      'main.py',
      `
import base64, sys
from verify import is_genuine
names = ("webhook-id", "webhook-timestamp", "webhook-signature")
for line in sys.stdin:
    texts = [None if text == "-" else base64.b64decode(text[1:]) for text in line.split()]
    headers = {name: text.decode() for name, text in zip(names, texts) if text is not None}
    try:
        print("genuine" if is_genuine(headers, texts[3], texts[4].decode()) else "refused")
    except ValueError:
        print("no secret")
`,
    ],
    commands: [['python3', '-B', 'main.py']],
    needs: ['python3', '--version'],
  },
  {
    file: 'verify.php',
    program: [
      'main.php',
      `<?php
require 'verify.php';
error_reporting(E_ALL);
set_error_handler(function ($level, $message) { throw new ErrorException($message); });
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    $texts = array_map(fn ($text) => $text === '-' ? null : base64_decode(substr($text, 1)), explode(' ', $line));
    $headers = array_filter(array_combine(['webhook-id', 'webhook-timestamp', 'webhook-signature'], array_slice($texts, 0, 3)), fn ($text) => $text !== null);
    try {
        echo isGenuine($headers, $texts[3], $texts[4]) ? 'genuine' : 'refused', "\\n";
    } catch (RuntimeException $error) {
        echo "no secret\\n";
    }
}`,
    ],
    commands: [['php', 'main.php']],
    needs: ['php', '--version'],
  },
  {
    file: 'Verify.java',
    program: [
      'Main.java',
      `
import java.util.*;
public class Main {
  static String text(String field) { return field.equals("-") ? null : new String(Base64.getDecoder().decode(field.substring(1)), java.nio.charset.StandardCharsets.UTF_8); }
  public static void main(String[] args) throws Exception {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] fields = lines.nextLine().split(" ");
      Map<String, String> headers = new HashMap<>();
      String[] names = {"webhook-id", "webhook-timestamp", "webhook-signature"};
      for (int i = 0; i < 3; i++) headers.put(names[i], text(fields[i]));
      try {
        System.out.println(Verify.isGenuine(headers::get, Base64.getDecoder().decode(fields[3].substring(1)), text(fields[4])) ? "genuine" : "refused");
      } catch (IllegalArgumentException | IllegalStateException error) {
        System.out.println("no secret");
      }
    }
  }
}`,
    ],
    commands: [
      ['javac', '-Xlint:all', '-Werror', 'Verify.java', 'Main.java'],
      ['java', '-cp', '.', 'Main'],
    ],
    needs: ['javac', '-version'],
  },
  {
    file: 'verify.go',
    program: [
      'main.go',
      `package main
import ("bufio"; "encoding/base64"; "fmt"; "net/http"; "os"; "strings")
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		texts := make([]string, len(fields))
		header := http.Header{}
		for i, field := range fields {
			if field == "-" { continue }
			text, err := base64.StdEncoding.DecodeString(field[1:])
			if err != nil { panic(err) }
			texts[i] = string(text)
			if i < 3 { header.Set([]string{"webhook-id", "webhook-timestamp", "webhook-signature"}[i], texts[i]) }
		}
		genuine, err := IsGenuine(header, []byte(texts[3]), texts[4])
		if err != nil { fmt.Println("no secret") } else if genuine { fmt.Println("genuine") } else { fmt.Println("refused") }
	}
}`,
    ],
    commands: [['go', 'run', 'main.go', 'verify.go']],
    needs: ['go', 'version'],
  },
  {
    file: 'verify.rb',
    program: [
      'main.rb',
      `
require_relative "verify"
STDIN.each_line(chomp: true) do |line|
  texts = line.split(" ").map { |text| text == "-" ? nil : text[1..].unpack1("m0").force_encoding("UTF-8") }
  headers = %w[webhook-id webhook-timestamp webhook-signature].zip(texts).to_h.compact
  puts genuine?(headers, texts[3], texts[4]) ? "genuine" : "refused"
rescue ArgumentError
  puts "no secret"
end`,
    ],
    commands: [['ruby', '-w', 'main.rb']],
    needs: ['ruby', '--version'],
  },
  {
    file: 'Verify.cs',
    program: [
      'Main.cs',
      `
using System; using System.Text;
static class MainProgram {
  static string Text(string field) => field == "-" ? null : Encoding.UTF8.GetString(Convert.FromBase64String(field.Substring(1)));
  static void Main() {
    for (string line; (line = Console.ReadLine()) != null; ) {
      var fields = line.Split(' ');
      var names = new[] { "webhook-id", "webhook-timestamp", "webhook-signature" };
      try {
        var genuine = Verify.IsGenuine(name => Text(fields[Array.IndexOf(names, name)]), Convert.FromBase64String(fields[3].Substring(1)), Text(fields[4]));
        Console.WriteLine(genuine ? "genuine" : "refused");
      } catch (Exception error) when (error is FormatException || error is InvalidOperationException) {
        Console.WriteLine("no secret");
      }
    }
  }
}`,
    ],
    // Mono runs what .NET runs.
    commands: [
      ['mcs', '-warnaserror', '-r:System.Core.dll', '-out:main.exe', 'Main.cs', 'Verify.cs'],
      ['mono', 'main.exe'],
    ],
    needs: ['mcs', '--version'],
  },
];
