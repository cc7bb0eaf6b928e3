	.file	"app.c"
	.text
	.globl	main
	.type	main, @function
main:
.LFB0:
	pushq	%rbp
	movl	$0, -4(%rbp)
	movl	$100, %eax
	popq	%rbp
	ret
	.size	main, .-main
